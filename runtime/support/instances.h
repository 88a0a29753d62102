/* instances.h - copies of the runtime in one process.
 *
 * A program and each of its libraries may have a copy of the runtime of their
 * own, linked statically; then each opens a device, and keeps memory and arrays
 * there, for itself.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_INSTANCES_H
#define POLYGPU_INSTANCES_H

/* This copy has opened a device.  If another one has, too, a line says so, once
 * in a process. */
void polygpu_instance_opened(void);

#endif
