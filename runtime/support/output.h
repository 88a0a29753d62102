/* output.h - the file that an environment variable names, written when the
 * process ends.
 *
 * The first process that has the variable gets the file: it holds a lock on it
 * until it ends.  Processes that come meanwhile, and forked children, write
 * files of their own, with their number before the name's extension.  The file
 * is found again after the program has changed its directory.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_OUTPUT_H
#define POLYGPU_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Take "name", the value of "variable", and empty the file.  False with a
 * message if it cannot be written.  Once in a process. */
bool polygpu_output_claim(const char *variable, const char *name);

/* Does this process have the file itself? */
bool polygpu_output_is_first(void);

/* Open this process's file, and close it; NULL, or false, with a message if
 * that failed. */
FILE *polygpu_output_open(void);
bool polygpu_output_close(FILE *file);

#endif
