/* transfer.h - the arrays of a run, to the device and back.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TRANSFER_H
#define POLYGPU_TRANSFER_H

#include <stdbool.h>

struct polygpu_run;

bool polygpu_upload(struct polygpu_run *run);
/* Values of the function, or memory of the program. */
bool polygpu_download(struct polygpu_run *run, bool values);
/* But for what stays on the device. */
void polygpu_commit(struct polygpu_run *run);
void polygpu_release(struct polygpu_run *run, bool done);

#endif
