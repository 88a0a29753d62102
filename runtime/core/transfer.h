/* transfer.h - the arrays of a run, to the device and back.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TRANSFER_H
#define POLYGPU_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

struct polygpu_run;

/* Find ranges for the arrays, what is to be copied there, and for the others
 * memory as far as the pool has some.  All of it is given back by
 * polygpu_release. */
bool polygpu_prepare(struct polygpu_run *run);
/* That, unless it has been done, and have memory of the device for all arrays.
 */
bool polygpu_upload(struct polygpu_run *run);
/* Of one array, unless that has been done. */
bool polygpu_copy_in(struct polygpu_run *run, uint32_t array);

/* Values of the function, or memory of the program, but for what has been
 * copied out. */
bool polygpu_download(struct polygpu_run *run, bool values);
/* One array's, which no kernel writes any more. */
bool polygpu_copy_out(struct polygpu_run *run, uint32_t array);
/* But for what stays on the device. */
void polygpu_commit(struct polygpu_run *run);
void polygpu_release(struct polygpu_run *run, bool done);

#endif
