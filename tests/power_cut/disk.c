/* A disk whose power can be cut: what a program wrote counts only when it has waited for the disk.
 *
 * Loaded with LD_PRELOAD. Watches one flat folder (POWER_DISK) and keeps beside it (POWER_SYNCED) what a disk would
 * hold if the power failed now and nothing but the synchronised had reached it:
 *
 *   data/INODE   the content of a file as of its last fsync or fdatasync
 *   names        "INODE NAME" for each file, as of the last fsync of the folder
 *
 * POWER_CUT_AT=N kills the process in the midst of its N-th operation on the folder; a write is then done by half.
 * POWER_SYNC_FAILS_AT=N fails the N-th synchronisation with EIO, and as Linux does, forgets the pages that it should
 * have written: a later fsync succeeds without them. With POWER_KILLED_THEN the process is killed at that moment, and
 * with POWER_STAYED the next one goes on with the same running computer: what was dirty is dirty, what was forgotten
 * is forgotten.
 *
 * Modelled is what SQLite and the journal call: write, pwrite, ftruncate, fsync, fdatasync, unlink. A rename aborts.
 * Shared memory (NAME-shm) is no part of the disk: SQLite makes it again.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct range {
    ino_t inode;
    off_t start, end;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *disk, *synced; /* disk is NULL when nothing is watched */
static long operations, cut_at, syncs, sync_fails_at;
static int killed_then;
static struct range *dirty;
static size_t dirty_count, dirty_room;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);

static void broken(const char *what)
{
    fprintf(stderr, "disk.c: %s: %s\n", what, strerror(errno));
    abort();
}

static int under_disk(const char *path)
{
    size_t length = disk ? strlen(disk) : 0;
    return disk && strncmp(path, disk, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int watched(int fd)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = disk ? readlink(link, path, sizeof path - 1) : -1;
    if (length < 0)
        return 0;
    path[length] = 0;
    return under_disk(path);
}

static struct stat status(int fd)
{
    struct stat found;
    if (fstat(fd, &found))
        broken("fstat");
    return found;
}

static int power_fails_now(void)
{
    return ++operations == cut_at;
}

static void dirty_file(char *path, size_t room)
{
    snprintf(path, room, "%s/dirty", synced);
}

static void die(void)
{
    char path[PATH_MAX];
    dirty_file(path, sizeof path);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(dirty, sizeof *dirty, dirty_count, file) != dirty_count || fclose(file))
        broken(path);
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

static void now_dirty(ino_t inode, off_t start, off_t end)
{
    if (dirty_count == dirty_room) {
        dirty_room = dirty_room ? 2 * dirty_room : 64;
        dirty = realloc(dirty, dirty_room * sizeof *dirty);
        if (!dirty)
            broken("realloc");
    }
    dirty[dirty_count++] = (struct range){inode, start, end};
}

static void forget_dirty(ino_t inode)
{
    size_t kept = 0;
    for (size_t each = 0; each < dirty_count; each++)
        if (dirty[each].inode != inode)
            dirty[kept++] = dirty[each];
    dirty_count = kept;
}

static void copy(int from, int to, off_t start, off_t end)
{
    char page[4096];
    while (start < end) {
        size_t wanted = (size_t)(end - start) < sizeof page ? (size_t)(end - start) : sizeof page;
        ssize_t length = pread(from, page, wanted, start);
        if (length < 0)
            broken("pread");
        if (length == 0)
            return; /* cut off since */
        if (real_pwrite(to, page, (size_t)length, start) != length)
            broken("pwrite");
        start += length;
    }
}

static int open_data(ino_t inode)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/data/%lu", synced, (unsigned long)inode);
    int fd = open(path, O_RDWR | O_CREAT, 0666);
    if (fd < 0)
        broken(path);
    return fd;
}

static void file_reached_the_disk(int fd, off_t size, ino_t inode)
{
    int data = open_data(inode);
    if (real_ftruncate(data, size))
        broken("ftruncate");
    for (size_t each = 0; each < dirty_count; each++)
        if (dirty[each].inode == inode)
            copy(fd, data, dirty[each].start, dirty[each].end);
    close(data);
    forget_dirty(inode);
}

static void names_reached_the_disk(void)
{
    char path[PATH_MAX], fresh[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/names", synced);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *names = fopen(fresh, "w");
    DIR *folder = opendir(disk);
    if (!names || !folder)
        broken("names");
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_type == DT_REG)
            fprintf(names, "%lu %s\n", (unsigned long)entry->d_ino, entry->d_name);
    closedir(folder);
    if (fclose(names) || real_rename(fresh, path))
        broken("names");
}

/* What lies in the folder when the program starts has long been on the disk. */
static void begin(void)
{
    DIR *folder = opendir(disk);
    if (!folder)
        broken(disk);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_type != DT_REG)
            continue;
        int fd = openat(dirfd(folder), entry->d_name, O_RDONLY);
        if (fd < 0)
            broken(entry->d_name);
        struct stat found = status(fd);
        now_dirty(found.st_ino, 0, found.st_size);
        file_reached_the_disk(fd, found.st_size, found.st_ino);
        close(fd);
    }
    closedir(folder);
    names_reached_the_disk();
}

static void go_on(void)
{
    char path[PATH_MAX];
    dirty_file(path, sizeof path);
    FILE *file = fopen(path, "r");
    if (!file)
        broken(path);
    for (struct range each; fread(&each, sizeof each, 1, file) == 1;)
        now_dirty(each.inode, each.start, each.end);
    fclose(file);
}

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

__attribute__((constructor)) static void load(void)
{
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    cut_at = number("POWER_CUT_AT");
    sync_fails_at = number("POWER_SYNC_FAILS_AT");
    synced = getenv("POWER_SYNCED");
    disk = getenv("POWER_DISK");
    killed_then = getenv("POWER_KILLED_THEN") != NULL;
    if (disk && getenv("POWER_STAYED"))
        go_on();
    else if (disk)
        begin();
}

ssize_t write(int fd, const void *bytes, size_t count)
{
    if (!watched(fd))
        return real_write(fd, bytes, count);
    pthread_mutex_lock(&lock);
    if (power_fails_now()) {
        real_write(fd, bytes, count / 2);
        die();
    }
    ssize_t done = real_write(fd, bytes, count);
    if (done > 0) {
        off_t end = lseek(fd, 0, SEEK_CUR);
        now_dirty(status(fd).st_ino, end - done, end);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset)
{
    if (!watched(fd))
        return real_pwrite(fd, bytes, count, offset);
    pthread_mutex_lock(&lock);
    if (power_fails_now()) {
        real_pwrite(fd, bytes, count / 2, offset);
        die();
    }
    ssize_t done = real_pwrite(fd, bytes, count, offset);
    if (done > 0)
        now_dirty(status(fd).st_ino, offset, offset + done);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset)
{
    return pwrite64(fd, bytes, count, offset);
}

int ftruncate64(int fd, off64_t size)
{
    if (!watched(fd))
        return real_ftruncate(fd, size);
    pthread_mutex_lock(&lock);
    if (power_fails_now())
        die();
    struct stat before = status(fd);
    int failed = real_ftruncate(fd, size);
    if (!failed && size < before.st_size)
        now_dirty(before.st_ino, size, before.st_size);
    pthread_mutex_unlock(&lock);
    return failed;
}

int ftruncate(int fd, off_t size)
{
    return ftruncate64(fd, size);
}

static int synchronise(int fd, int (*real)(int))
{
    if (!watched(fd))
        return real(fd);
    pthread_mutex_lock(&lock);
    if (power_fails_now())
        die();
    struct stat found = status(fd);
    int failed = real(fd);
    if (++syncs == sync_fails_at) {
        forget_dirty(found.st_ino);
        if (killed_then)
            die();
        errno = EIO;
        failed = -1;
    } else if (!failed && S_ISDIR(found.st_mode)) {
        names_reached_the_disk();
    } else if (!failed) {
        file_reached_the_disk(fd, found.st_size, found.st_ino);
    }
    pthread_mutex_unlock(&lock);
    return failed;
}

int fsync(int fd)
{
    return synchronise(fd, real_fsync);
}

int fdatasync(int fd)
{
    return synchronise(fd, real_fdatasync);
}

int unlink(const char *path)
{
    if (!under_disk(path))
        return real_unlink(path);
    pthread_mutex_lock(&lock);
    if (power_fails_now())
        die();
    /* Kept open for ever, so that no new file gets the inode while the disk may still know the old name. */
    open(path, O_RDONLY | O_CLOEXEC);
    int failed = real_unlink(path);
    pthread_mutex_unlock(&lock);
    return failed;
}

int rename(const char *from, const char *to)
{
    if (under_disk(from) || under_disk(to))
        broken("a rename is not modelled");
    return real_rename(from, to);
}
