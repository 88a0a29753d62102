/* output.c - see output.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/output.h"

#include "support/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char *variable;
static char *path;  /* absolute */
static pid_t first; /* the process that has "path"; 0: another program */

static void fail(int error)
{
    polygpu_message("%s=%s cannot be written: %s", variable, path,
                    strerror(error));
}

/* "name" from the root on; NULL with errno. */
static char *absolute(const char *name)
{
    char *directory, *result = NULL;

    if (*name == '/')
        return strdup(name);
    directory = getcwd(NULL, 0);
    if (directory && asprintf(&result, "%s/%s", directory, name) < 0)
        result = NULL;
    free(directory);
    return result;
}

/* The descriptor stays open, as long as the process has the file.  Where there
 * are no locks, each process is the first. */
bool polygpu_output_claim(const char *of, const char *name)
{
    int file;

    variable = of;
    path = absolute(name);
    if (!path) {
        polygpu_message("%s=%s cannot be written: %s", of, name,
                        strerror(errno));
        return false;
    }
    file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        fail(errno);
        return false;
    }
    if (flock(file, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
        close(file);
        return true;
    }
    first = getpid();
    (void)!ftruncate(file, 0); /* devices cannot, and need not */
    return true;
}

bool polygpu_output_is_first(void)
{
    return first == getpid();
}

/* "DIRECTORY/NAME.NUMBER.EXTENSION" */
static char *own_path(void)
{
    const char *dot = strrchr(path, '.');
    char *result;

    if (asprintf(&result, "%.*s.%ld%s", (int)(dot - path), path, (long)getpid(),
                 dot) < 0)
        return NULL;
    return result;
}

FILE *polygpu_output_open(void)
{
    FILE *file;

    if (!polygpu_output_is_first()) {
        char *own = own_path();

        if (!own) {
            fail(ENOMEM);
            return NULL;
        }
        polygpu_message("process %ld writes %s, since another one has %s",
                        (long)getpid(), own, path);
        free(path);
        path = own;
    }
    file = fopen(path, "we");
    if (!file)
        fail(errno);
    return file;
}

bool polygpu_output_close(FILE *file)
{
    bool ok = !ferror(file);

    if (fclose(file) == 0 && ok)
        return true;
    fail(errno);
    return false;
}
