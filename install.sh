#!/bin/sh
# The one command that puts Gnomon on a Raspberry Pi (Raspberry Pi OS or Debian, Bookworm or later), and takes it off.
#
# It may be cut off at any moment and run again. A version is a folder of its own, complete or not there; which one runs
# is one symbolic link, changed in one step.
set -eu
umask 022
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

OPT=/opt/gnomon
VERSIONS=$OPT/versions
CURRENT=$OPT/current
PREVIOUS=$OPT/previous
UNPROVEN=$OPT/unproven  # the version before, until a new one is ready: after a power cut Gnomon's image goes back to it
COMPLETE=.complete
ETC=/etc/gnomon
BOARD_FILE=$ETC/board.toml
ENVIRONMENT=$ETC/gnomond.env
REMEMBERED=$ETC/install.conf
MODULES=/etc/modules-load.d/gnomon.conf
UNITS=/etc/systemd/system
RULES=/etc/udev/rules.d/60-gnomon.rules
MACHINE=10-machine.conf
COMMANDS=/usr/local/bin
SHARE=/usr/local/share
SHARED="man/man1 bash-completion/completions zsh/site-functions fish/vendor_completions.d"
GNOMON=gnomon
SERVICE=gnomond.service
SAFE=gnomond-safe.service
GROUPS_WANTED="gpio i2c spi input dialout"
READY_WITHIN=90  # seconds: five starts on the smallest Raspberry Pi
PORT=8765        # of the page, until gnomond.env says another
ROOM=400         # megabytes for one version, with what pip needs meanwhile
PACKAGES="python3-venv python3-lgpio python3-rpi-lgpio python3-spidev python3-argon2"
TO_BUILD="gcc libc6-dev python3-dev swig"  # lgpio, where nobody has built it

FAILED=1 WRONG_USE=2 PLAYING=3

usage() {
    cat <<TEXT
Usage: sudo ./install.sh [install | update | rollback | remove | status] [options]

  install    put this Gnomon on the machine and start it (the default; run it again at any time)
  update     the same where it is installed already; goes back by itself when the new version does not become ready
  rollback   go back to the version before
  remove     take Gnomon off; the games and the board's description stay
  status     say what is installed and whether a game is being played

  --board NAME     the board, at the first installation: tamsk (the default), tayu or table
  --simulated      the board in software, at the first installation: for a machine without one
  --from FOLDER    the sources to install, instead of the folder of this script
  --state FOLDER   where the games are kept, instead of /var/lib/gnomon; remembered
  --anyway         even while a game is being played
  --purge          with remove: the games and the board's description as well
  --dry-run        only say what would be done; needs no rights

It ends with 0 when all is well, 1 when it failed, 2 for wrong use, 3 when it refused because a game is being played.
TEXT
}

# What is said

say() { printf '%s\n' "$*"; }
did() { printf '  done   %s\n' "$*"; }
left() { printf '  kept   %s\n' "$*"; }
would() { printf '  would have %s\n' "$*"; }
note() { printf '  note   %s\n' "$*"; }

fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit "$FAILED"
}

misused() {
    printf 'install.sh: %s See ./install.sh --help.\n' "$*" >&2
    exit "$WRONG_USE"
}

# `change "what" command…`: do it and say so, or say what would be done. The command's own words go to the log.
change() {
    what=$1
    shift
    if [ "$DRY_RUN" = yes ]; then
        would "$what"
        return 0
    fi
    if "$@" >"$LOG" 2>&1 </dev/null; then
        did "$what"
        return 0
    fi
    tail -n 5 "$LOG" >&2
    return 1
}

# `put_file path mode <content`: the file has this content, written in one step; says whether anything changed.
put_file() {
    path=$1
    if [ "$DRY_RUN" = yes ]; then
        if cat | cmp -s - "$path"; then left "$path"; else would "written $path"; fi
        return 0
    fi
    mkdir -p "$(dirname "$path")"
    cat >"$path.new"
    if cmp -s "$path.new" "$path"; then
        rm -f "$path.new"
        left "$path"
        return 0
    fi
    chmod "$2" "$path.new"
    sync "$path.new"
    mv -f "$path.new" "$path"
    UNITS_CHANGED=yes
    did "wrote $path"
}

# What is asked

read_arguments() {
    ACTION="" BOARD="" SIMULATED=no SOURCE="" STATE="" ANYWAY=no PURGE=no DRY_RUN=no
    while [ $# -gt 0 ]; do
        case $1 in
            install | update | rollback | remove | status)
                [ -z "$ACTION" ] || misused "One thing at a time: $ACTION or $1."
                ACTION=$1
                ;;
            --board | --from | --state)
                [ $# -ge 2 ] || misused "$1 needs a value."
                case $1 in
                    --board) BOARD=$2 ;;
                    --from) SOURCE=$2 ;;
                    --state) STATE=$2 ;;
                esac
                shift
                ;;
            --simulated) SIMULATED=yes ;;
            --anyway) ANYWAY=yes ;;
            --purge) PURGE=yes ;;
            --dry-run) DRY_RUN=yes ;;
            -h | --help)
                usage
                exit 0
                ;;
            *) misused "I do not know $1." ;;
        esac
        shift
    done
    ACTION=${ACTION:-install}
    [ "$PURGE" = no ] || [ "$ACTION" = remove ] || misused "--purge goes with remove."
    case $BOARD in *[!a-z0-9-]*) misused "--board takes a name such as tamsk." ;; esac
    case $STATE in
        "" | /*[!/]) ;;
        *) misused "--state takes a folder by its whole path, such as /data/gnomon." ;;
    esac
    case $STATE in *[!A-Za-z0-9/._-]*) misused "--state takes letters, digits, and / . _ - only." ;; esac
}

find_source() {
    [ -n "$SOURCE" ] || SOURCE=$(dirname "$0")
    SOURCE=$(cd "$SOURCE" 2>/dev/null && pwd -P) || fail "There is no folder $SOURCE."
    grep -qs '^name = "gnomon"' "$SOURCE/pyproject.toml" ||
        fail "$SOURCE does not hold Gnomon: name the folder with its pyproject.toml by --from."
    version=$(sed -n 's/^version = "\([^"]*\)".*/\1/p' "$SOURCE/pyproject.toml" | head -n 1)
    NAME=$version-$(mark_of_source)
}

# A mark of what the sources hold. Git is not asked: a folder's own configuration names programs for it to run, such as
# core.fsmonitor, and nothing of a folder is run before somebody has said that it shall be installed.
mark_of_source() {
    (cd "$SOURCE" && find pyproject.toml README.md LICENSE locks companion firmware -type f ! -name '*.pyc' -print0 |
        sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-8)
}

find_state() {
    if [ -z "$STATE" ] && [ -r "$REMEMBERED" ]; then
        STATE=$(sed -n 's/^state=//p' "$REMEMBERED" | head -n 1)
    fi
    STATE=${STATE:-/var/lib/gnomon}
}

# What is refused

need_rights() {
    [ "$DRY_RUN" = yes ] || [ "$(id -u)" -eq 0 ] || fail "This needs the rights of root: sudo ./install.sh $ACTION"
}

take_turns() {
    [ "$DRY_RUN" = no ] || return 0
    # Not below /run/lock, where everybody may write; and nobody else may open it, because a reader can lock too.
    umask 077
    exec 9>/run/gnomon-install.lock
    umask 022
    flock -n 9 || fail "Another install.sh is at work."
}

need_system() {
    command -v systemctl >/dev/null || fail "There is no systemd here (systemctl is missing); gnomond can be run by hand."
    command -v apt-get >/dev/null || fail "There is no apt-get here: this is neither Raspberry Pi OS nor Debian."
    python3 -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        fail "Gnomon needs Python 3.11 or newer (Bookworm or later), and python3 is not."
}

# The file system of a folder, or of the nearest one above it that is there.
kind_of_file_system() {
    folder=$1
    until [ -d "$folder" ]; do folder=$(dirname "$folder"); done
    stat -f -c %T "$folder"
}

need_lasting_folders() {
    for folder in "$OPT" "$ETC" "$STATE"; do
        case $(kind_of_file_system "$folder") in
            overlayfs | tmpfs | ramfs | aufs)
                [ "$folder" = "$STATE" ] && fail "$folder stands on an overlay in memory, and the games would be lost \
when the power goes: name a folder on a partition that can be written, by --state (docs/install.md)."
                fail "$folder stands on an overlay in memory, and what is installed there would be gone after a restart: \
switch the overlay off (raspi-config), install, and switch it on again (docs/install.md)."
                ;;
        esac
    done
}

need_room() {
    folder=$OPT
    until [ -d "$folder" ]; do folder=$(dirname "$folder"); done
    free=$(df -Pm "$folder" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge "$ROOM" ] || fail "There are $free MB free on the disk of $OPT, and a version needs $ROOM."
}

# A game that is neither over nor paused is being played: no restart under the players' hands.
refuse_while_playing() {
    [ -x "$CURRENT/bin/gnomond" ] || return 0
    if answer=$(as_gnomon "$CURRENT/bin/gnomond" status --state "$STATE" --json 2>/dev/null); then
        case $answer in *'"playing": true'*) ;; *) return 0 ;; esac
        sentence=$(as_gnomon "$CURRENT/bin/gnomond" status --state "$STATE" | grep 'being played' | head -n 1)
    else
        systemctl is-active --quiet "$SERVICE" || return 0
        sentence="The installed version does not say whether a game is being played."
    fi
    if [ "$ANYWAY" = yes ]; then
        note "$sentence Going on, as --anyway says."
        return 0
    fi
    printf 'install.sh: %s\n' "$sentence" >&2
    printf 'install.sh: Nothing was changed: finish or pause the game first, or add --anyway.\n' >&2
    exit "$PLAYING"
}

as_gnomon() {
    if [ "$(id -u)" -eq 0 ] && getent passwd "$GNOMON" >/dev/null; then
        runuser -u "$GNOMON" -- env -i "PATH=$PATH" LC_ALL=C.UTF-8 HOME=/nonexistent PYTHONDONTWRITEBYTECODE=1 \
            "STATE_DIRECTORY=$STATE" "$@"
    else
        "$@"
    fi
}

# The system

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Whether the library of a package is there without it, as on Gnomon's image.
has_library() {
    case $1 in
        python3-lgpio) set -- lgpio.py ;;
        python3-rpi-lgpio) set -- RPi ;;
        *) return 1 ;;
    esac
    for place in /usr/local/lib/python3*/dist-packages; do
        [ ! -e "$place/$1" ] || return 0
    done
    return 1
}

# Those of the packages that apt knows, in one question: each takes a second on a small machine.
to_be_had() { apt-cache show --no-all-versions "$@" 2>/dev/null | sed -n 's/^Package: //p'; }

install_packages() {
    missing=""
    for package in $PACKAGES $([ "$BUILT" = no ] || echo "$TO_BUILD"); do
        if is_installed "$package"; then
            left "package $package"
        elif has_library "$package"; then
            left "the library of $package, which is there without the package"
        else
            missing="$missing $package"
        fi
    done
    [ -n "$missing" ] || return 0
    change "brought the list of packages up to date" apt-get -q -o DPkg::Lock::Timeout=120 update ||
        note "the list of packages could not be brought up to date; going on with the one that is there"
    # shellcheck disable=SC2086  # one word a package
    known=$(to_be_had $missing)
    for package in $missing; do
        if [ "$package" != python3-venv ] && ! echo "$known" | grep -qx "$package"; then
            note "there is no package $package on this system"
            continue
        fi
        # --no-remove: rpi-lgpio takes the place of RPi.GPIO, and somebody may need that one.
        change "installed the package $package" apt-get -q -o DPkg::Lock::Timeout=120 install -y --no-remove \
            --no-install-recommends "$package" && continue
        [ "$package" != python3-venv ] || fail "The package $package cannot be installed: is the network there?"
        note "the package $package could not be installed without removing another one, and is done without"
    done
}

# Whom the devices of a board belong to: Raspberry Pi OS says so itself, and plain Debian leaves pins and SPI to root.
make_groups() {
    [ -n "$(boot_settings)" ] || return 0
    for file in /etc/udev/rules.d/*.rules /usr/lib/udev/rules.d/*.rules; do
        if [ "$file" != "$RULES" ] && grep -qs 'GROUP="gpio"' "$file"; then return 0; fi
    done
    for group in gpio i2c spi; do
        getent group "$group" >/dev/null || change "made the group $group" groupadd --system "$group" ||
            fail "The group $group cannot be made."
    done
    put_file "$RULES" 644 <<TEXT
# Written by install.sh: the devices of a board for their groups, as on Raspberry Pi OS.
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"
SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"
TEXT
    if [ "$DRY_RUN" = no ] && [ -e /run/udev/control ]; then
        udevadm control --reload
        udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev
    fi
}

make_user() {
    if getent passwd "$GNOMON" >/dev/null; then
        left "user $GNOMON"
    else
        change "made the user $GNOMON" useradd --system --user-group --no-create-home --home-dir /nonexistent \
            --shell /usr/sbin/nologin "$GNOMON" || fail "The user $GNOMON cannot be made."
    fi
    for group in $(groups_here); do
        if id -nG "$GNOMON" 2>/dev/null | tr ' ' '\n' | grep -qx "$group"; then
            left "user $GNOMON in group $group"
        else
            change "taken $GNOMON into the group $group" usermod -a -G "$group" "$GNOMON" ||
                fail "The user $GNOMON cannot be taken into the group $group."
        fi
    done
}

groups_here() {
    for group in $GROUPS_WANTED; do
        if getent group "$group" >/dev/null; then echo "$group"; fi
    done
}

# A version

install_version() {
    target=$VERSIONS/$NAME
    if [ -e "$target/$COMPLETE" ]; then
        left "version $NAME in $VERSIONS"
        return 0
    fi
    need_room
    change "made room for version $NAME" rm -rf "$target"
    change "made an environment that sees the system's packages" python3 -I -m venv --system-site-packages "$target" ||
        fail "The environment $target cannot be made."
    # What a caller's shell may hold and would reach into the environment of our own.
    unset PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIRE_VIRTUALENV PYTHONPATH PYTHONHOME GNOMON_COMPILE
    case $(uname -m) in
        x86_64 | aarch64) ;;
        *) note "on $(uname -m) what pip downloads cannot be checked by hash: nobody publishes one for these wheels" ;;
    esac
    say "  …      installing version $NAME with what it needs (minutes on a small machine)"
    if ! change "installed version $NAME" install_with_pip "$target/bin/python" "$(extra)"; then
        rm -rf "$target"
        fail "Version $NAME could not be installed and what runs was not touched: is the network there?"
    fi
    [ "$DRY_RUN" = no ] || return 0
    if ! "$target/bin/gnomond" --version >"$LOG" 2>&1; then
        tail -n 5 "$LOG" >&2
        rm -rf "$target"
        fail "Version $NAME does not run on this machine; what runs was not touched."
    fi
    sync -f "$target"
    : >"$target/$COMPLETE"
    sync -f "$target"
}

# What is downloaded is what the lock names, by its hash, and the sources are built with nothing else.
# shellcheck disable=SC2317  # called by `change`
install_with_pip() {
    pip="$1 -m pip install --quiet --no-input --disable-pip-version-check --root-user-action=ignore"
    export PIP_USER=0
    # Where lgpio is built, it brings its C library along, as its wheels do.
    export PYPI=1
    # shellcheck disable=SC2086  # the words of a command
    case $(uname -m) in
        x86_64 | aarch64)
            $pip --require-hashes --only-binary :all: -r "$SOURCE/locks/board.txt" || return 1
            [ -z "$2" ] || $pip --require-hashes --no-build-isolation -r "$SOURCE/locks/pins.txt" || return 1
            $pip --no-index --no-deps --no-build-isolation "$SOURCE"
            ;;
        # PyPI has no wheels for 32 bits. Raspberry Pi OS takes them from a place that builds its own: no hash is known.
        *) $pip "$SOURCE$2" ;;
    esac
}

# Where Debian's packages bring the pins' libraries, pip need not. lgpio leaves a pipe in the folder where it is imported.
extra() {
    case $(uname -m) in
        aarch64 | arm*)
            scratch=$(mktemp -d)
            (cd "$scratch" && LG_WD=$scratch python3 -I -c 'import lgpio, spidev' 2>/dev/null) || printf '[pi]'
            rm -rf "$scratch"
            ;;
    esac
}

# Whether pip has to build lgpio: Debian has no package of it, and PyPI no wheel for Pythons from 3.13 on.
must_build_pins() {
    case $(uname -m) in aarch64 | arm*) ;; *) return 1 ;; esac
    is_installed python3-lgpio && return 1
    has_library python3-lgpio && return 1
    [ -z "$(to_be_had python3-lgpio)" ] || return 1
    # A list of packages that was never fetched knows none.
    [ "$DRY_RUN" = yes ] || apt-get -q -o DPkg::Lock::Timeout=120 update >"$LOG" 2>&1 || true
    [ -z "$(to_be_had python3-lgpio)" ] || return 1
    python3 -I -c 'import sys; sys.exit(sys.version_info < (3, 13))'
}

# What building takes, or a sentence before anything has been changed.
need_pins() {
    must_build_pins || return 0
    for package in $TO_BUILD; do
        is_installed "$package" || [ -n "$(to_be_had "$package")" ] ||
            fail "The library of the pins, lgpio, has no package here and no wheel for this Python, and without the \
package $package it cannot be built: use Raspberry Pi OS, whose packages have it. Nothing was changed."
    done
    BUILT=yes
    note "lgpio has no package here and no wheel for this Python: it will be built, which takes some minutes"
}

in_package() {
    "$1/bin/python" -I -c 'import importlib.resources as r, sys; print(r.files("gnomon_pi").joinpath(*sys.argv[1:]))' \
        "$2" "$3"
}

# Such a name is known from the sources, before minutes are spent on the rest.
check_board() {
    if [ -z "$BOARD" ] || [ -e "$BOARD_FILE" ]; then return 0; fi
    described=$SOURCE/firmware/gnomon_pi/boards/$BOARD.toml
    [ ! -d "$(dirname "$described")" ] || [ -r "$described" ] || no_board "$described"
}

no_board() {
    fail "There is no board $(basename "$1" .toml); there are: $(cd "$(dirname "$1")" && echo ./*.toml | sed 's/\.\///g; s/\.toml//g')."
}

write_settings() {
    if [ -e "$BOARD_FILE" ]; then
        left "$BOARD_FILE"
        [ -z "$BOARD" ] || note "--board says nothing any more: the board is what $BOARD_FILE describes"
    elif [ "$DRY_RUN" = yes ]; then
        would "written $BOARD_FILE, the board ${BOARD:-tamsk}"
    else
        bundled=$(in_package "$target" boards "${BOARD:-tamsk}.toml")
        [ -r "$bundled" ] || no_board "$bundled"
        put_file "$BOARD_FILE" 644 <"$bundled"
    fi
    if [ -e "$ENVIRONMENT" ]; then
        left "$ENVIRONMENT"
    else
        options=""
        [ "$SIMULATED" = no ] || options=--simulated
        put_file "$ENVIRONMENT" 644 <<TEXT
# How gnomond is started; read by systemd. After a change: sudo systemctl restart gnomond
# 0.0.0.0 serves the page to the whole network, 127.0.0.1 to this machine only.
GNOMON_HOST=0.0.0.0
GNOMON_PORT=$PORT
# Further options, see gnomond --help.
GNOMON_OPTIONS=$options
TEXT
    fi
    put_file "$REMEMBERED" 644 <<TEXT
# Written by install.sh, which reads it again.
state=$STATE
TEXT
    [ "$DRY_RUN" = no ] || return 0
    # A description that the new version does not understand is found while the old one still runs.
    "$target/bin/python" -I -c '
import pathlib, sys
from gnomon_pi import config
try:
    config.load(pathlib.Path(sys.argv[1]))
except config.BoardError as error:
    sys.exit(f"install.sh: {error}")' "$BOARD_FILE" || fail "Correct $BOARD_FILE and run this again; what runs was not touched."
}

make_state() {
    if [ -d "$STATE" ] && [ "$(stat -c %U "$STATE")" = "$GNOMON" ]; then
        left "$STATE, the games"
    else
        change "made $STATE for the games" install -d -o "$GNOMON" -g "$GNOMON" -m 750 "$STATE" ||
            fail "The folder $STATE cannot be made."
    fi
}

# The interfaces of a Raspberry Pi

boot_settings() {
    for file in /boot/firmware/config.txt /boot/config.txt; do
        if [ -f "$file" ]; then
            echo "$file"
            return 0
        fi
    done
}

is_simulated() {
    if [ -e "$ENVIRONMENT" ]; then grep -q '^GNOMON_OPTIONS=.*--simulated' "$ENVIRONMENT"; else [ "$SIMULATED" = yes ]; fi
}

# What the board's description asks of config.txt: of each line the pattern of those that do the same, that of those
# that undo it, whether it holds without a word, and the device files that it brings; with semicolons between them.
asked_of_config() {
    described=$BOARD_FILE
    [ -e "$described" ] || described=$SOURCE/firmware/gnomon_pi/boards/${BOARD:-tamsk}.toml  # in a dry run
    ask='import sys; sys.path[:0] = sys.argv[2:]
from gnomon_pi.config.boot_lines import print_lines
print_lines(sys.argv[1])'
    if [ -x "${target:-}/bin/python" ]; then
        "$target/bin/python" -I -c "$ask" "$described" 2>/dev/null || true
    elif is_our_own "$SOURCE"; then
        python3 -I -B -c "$ask" "$described" "$SOURCE/companion" "$SOURCE/firmware" 2>/dev/null || true
    fi
}

# Whether the machine was started from Gnomon's image: its services write the overlays, its kernel knows no dtparam.
is_image() { grep -qx 'include gnomon-overlays.txt' "$1"; }

# Whether a folder is that of this script: of any other one nothing is run in a dry run.
is_our_own() { [ "$1" = "$(cd "$(dirname "$0")" && pwd -P)" ]; }

# Whether config.txt says it for every model: before the first filter, or under [all]. The last line counts.
is_set() {
    awk -v want="$2" -v undone="$3" -v found="$4" '
        BEGIN { here = 1 }
        { line = $0; sub(/\r$/, "", line); gsub(/^[ \t]+|[ \t]+$/, "", line) }
        line ~ /^\[.*\]$/ { here = (line == "[all]"); next }
        here && line ~ want { found = 1 }
        here && undone != "" && line ~ undone { found = 0 }
        END { exit !found }' "$1"
}

switch_interfaces_on() {
    settings=$(boot_settings)
    if [ -z "$settings" ] || is_simulated; then
        note "no interfaces to switch on: $(if [ -z "$settings" ]; then echo "this is no Raspberry Pi"; else echo "the board is simulated"; fi)"
        return 0
    fi
    asked=$(asked_of_config)
    if [ -z "$asked" ] && [ ! -x "${target:-}/bin/python" ] && ! is_our_own "$SOURCE"; then
        note "what the board needs in $settings is known once $SOURCE may be run: not in a dry run"
        return 0
    fi
    lines=""
    while IFS=';' read -r line same undone holds _; do
        [ -z "$line" ] || is_set "$settings" "$same" "$undone" "$holds" || lines="$lines $line"
    done <<TEXT
$asked
TEXT
    if is_image "$settings"; then
        left "$settings: this machine's overlays follow from the board at its next start"
    elif [ -z "$lines" ]; then
        left "$settings has all that is needed"
    else
        # shellcheck disable=SC2086  # one word a line
        change "added to $settings:$lines (the old one is $settings.before-gnomon)" add_lines "$settings" $lines
    fi
    case $asked in
        */dev/i2c-*)
            echo i2c-dev | put_file "$MODULES" 644
            change "loaded the module i2c-dev" modprobe i2c-dev || note "the module i2c-dev comes with the next restart"
            ;;
    esac
}

# shellcheck disable=SC2317  # called by `change`
add_lines() {
    file=$1
    shift
    [ -e "$file.before-gnomon" ] || { cp -p "$file" "$file.before-new" && mv -f "$file.before-new" "$file.before-gnomon"; }
    {
        cat "$file"
        printf '\n[all]\n# For Gnomon: display, sensors and lights\n'
        printf '%s\n' "$@"
    } >"$file.new"
    sync "$file.new"
    mv -f "$file.new" "$file"
    sync -f "$file"
}

# The device files that the interfaces bring at the next restart, as far as they are missing.
missing_devices() {
    [ -n "$(boot_settings)" ] && ! is_simulated || return 0
    for device in $(asked_of_config | cut -d ';' -f 5); do
        [ -e "$device" ] || echo "$device"
    done
}

# The service

write_units() {
    for unit in "$SERVICE" "$SAFE"; do
        if [ "$DRY_RUN" = yes ]; then
            would "written $UNITS/$unit if it is another one"
        else
            put_file "$UNITS/$unit" 644 <"$(in_package "$1" system "$unit")"
        fi
        machine "$unit" | put_file "$UNITS/$unit.d/$MACHINE" 644
    done
    for name in gnomond gnomon; do
        if [ "$(readlink "$COMMANDS/$name")" = "$CURRENT/bin/$name" ]; then
            left "command $name"
        elif [ -e "$COMMANDS/$name" ] || [ -L "$COMMANDS/$name" ]; then
            note "$COMMANDS/$name is somebody else's and was left alone; ours is $CURRENT/bin/$name"
        else
            change "made the command $name" ln -s "$CURRENT/bin/$name" "$COMMANDS/$name"
        fi
    done
    link_shared "$1"
}

# Manual pages and completions: links into the version that runs, and none to what the version $1 does not have.
link_shared() {
    if [ "$DRY_RUN" = yes ]; then
        would "linked manual pages and completions in $SHARE"
        return 0
    fi
    changed=0
    for folder in $SHARED; do
        for link in "$SHARE/$folder"/*gnomon*; do
            case $(readlink "$link" || true) in
                "$CURRENT"/share/*)
                    [ -e "$1/share/$folder/${link##*/}" ] || { rm -f "$link" && changed=$((changed + 1)); }
                    ;;
            esac
        done
        for file in "$1/share/$folder"/*gnomon*; do
            link=$SHARE/$folder/${file##*/}
            if [ -e "$file" ] && ! [ -e "$link" ] && ! [ -L "$link" ]; then
                mkdir -p "$SHARE/$folder"
                ln -s "$CURRENT/share/$folder/${file##*/}" "$link"
                changed=$((changed + 1))
            fi
        done
    done
    if [ "$changed" -eq 0 ]; then
        left "manual pages and completions in $SHARE"
    else
        did "linked manual pages and completions in $SHARE: $changed changed"
    fi
}

# What differs from machine to machine, as a drop-in.
machine() {
    printf '# Written by install.sh and written again by it: put changes of your own into another file of this folder.\n'
    if [ "$STATE" != /var/lib/gnomon ]; then
        printf '[Unit]\nRequiresMountsFor=%s\n\n' "$STATE"
    fi
    printf '[Service]\nSupplementaryGroups=%s\n' "$(groups_here | tr '\n' ' ' | sed 's/ $//')"
    if [ "$STATE" != /var/lib/gnomon ]; then
        printf 'StateDirectory=\nReadWritePaths=%s\nEnvironment=STATE_DIRECTORY=%s\n' "$STATE" "$STATE"
    fi
    # Ever longer pauses between restarts, where systemd knows them (from 254 on).
    if [ "$1" = "$SERVICE" ] && [ "$(systemctl --version 2>/dev/null | awk 'NR == 1 { print int($2) }')" -ge 254 ]; then
        printf 'RestartSteps=4\nRestartMaxDelaySec=30\n'
    fi
}

switch_to() {
    ln -sfn "$1" "$CURRENT.new"
    mv -T "$CURRENT.new" "$CURRENT"
    sync -f "$OPT"
}

remember_previous() {
    ln -sfn "$1" "$PREVIOUS.new"
    mv -T "$PREVIOUS.new" "$PREVIOUS"
    sync -f "$OPT"
}

# Start what `current` names, and say whether it became ready and stayed so.
start_service() {
    systemctl daemon-reload
    systemctl --quiet enable "$SERVICE" 2>"$LOG" || { tail -n 3 "$LOG" >&2 && return 1; }
    systemctl --quiet stop "$SAFE" 2>/dev/null || true
    systemctl --quiet reset-failed "$SERVICE" "$SAFE" 2>/dev/null || true
    systemctl --no-block restart "$SERVICE" || return 1
    waited=0
    while [ "$waited" -lt "$READY_WITHIN" ]; do
        case $(systemctl is-active "$SERVICE" || true) in
            active)
                sleep 2
                [ "$(systemctl is-active "$SERVICE" || true)" = active ] && return 0
                ;;
            failed) return 1 ;;
        esac
        if systemctl is-active --quiet "$SAFE"; then return 1; fi
        sleep 1
        waited=$((waited + 1))
    done
    return 1
}

# Change to a version and start it; go back to the one before when it does not become ready.
run_version() {
    new=$1
    old=$(readlink "$CURRENT" || true)
    if [ "$old" = "$new" ] && [ "$UNITS_CHANGED" = no ] && systemctl is-active --quiet "$SERVICE"; then
        [ "$DRY_RUN" = yes ] || rm -f "$UNPROVEN"
        left "$SERVICE, which runs this version"
        return 0
    fi
    if [ "$DRY_RUN" = yes ]; then
        would "let $CURRENT be $new, and restarted $SERVICE"
        return 0
    fi
    before_that=$(readlink "$PREVIOUS" || true)
    if [ "$old" != "$new" ]; then
        [ -z "$old" ] || remember_previous "$old"
        [ -z "$old" ] || ln -sfn "$old" "$UNPROVEN"
        switch_to "$new"
        did "$CURRENT is now $(basename "$new")"
    fi
    devices=$(missing_devices | tr '\n' ' ' | sed 's/ $//')
    if [ -n "$devices" ]; then
        rm -f "$UNPROVEN"
        systemctl daemon-reload
        systemctl --quiet enable "$SERVICE"
        did "$SERVICE starts with the machine"
        note "$devices come with a restart of the machine: sudo reboot. Gnomon starts then by itself."
        return 0
    fi
    say "  …      waiting until $SERVICE is ready"
    if start_service; then
        rm -f "$UNPROVEN"
        did "$SERVICE runs and is ready"
        return 0
    fi
    last_words
    if [ -z "$old" ] || [ "$old" = "$new" ] || [ ! -e "$old/$COMPLETE" ]; then
        fail "$SERVICE does not become ready, and there is no other version to go back to: see gnomond doctor."
    fi
    say "  …      going back to $(basename "$old")"
    switch_to "$old"
    rm -f "$UNPROVEN"
    if [ -n "$before_that" ]; then remember_previous "$before_that"; else rm -f "$PREVIOUS"; fi
    write_units "$old"
    start_service || fail "Neither $(basename "$new") nor $(basename "$old") becomes ready: see gnomond doctor."
    fail "$(basename "$new") does not become ready; $(basename "$old") runs again."
}

last_words() {
    journalctl -u "$SERVICE" -n 5 --no-pager -o cat 2>/dev/null | sed 's/^/         /' >&2 || true
}

forget_old_versions() {
    for folder in "$VERSIONS"/*; do
        [ -d "$folder" ] || continue
        if [ "$folder" != "$(readlink "$CURRENT" || true)" ] && [ "$folder" != "$(readlink "$PREVIOUS" || true)" ]; then
            change "deleted the old version $(basename "$folder")" rm -rf "$folder"
        fi
    done
}

examine() {
    if [ "$DRY_RUN" = yes ] || [ -n "$(missing_devices)" ]; then return 0; fi
    "$CURRENT/bin/gnomond" --help | grep -q '^  doctor ' || return 0
    say "What gnomond doctor says:"
    set -- "$CURRENT/bin/gnomond" doctor --wiring "$BOARD_FILE"
    if is_simulated; then set -- "$@" --simulated; fi
    as_gnomon "$@" 2>&1 | sed 's/^/  /' || true
}

# The actions

do_install() {
    if [ "$ACTION" = update ] && [ ! -L "$CURRENT" ]; then
        fail "Gnomon is not installed here yet: sudo ./install.sh"
    fi
    need_system
    find_source
    check_board
    need_lasting_folders
    refuse_while_playing
    say "Gnomon $NAME from $SOURCE"
    need_pins
    install_packages
    make_groups
    make_user
    install_version
    write_settings
    make_state
    switch_interfaces_on
    write_units "$target"
    run_version "$target"
    forget_old_versions
    examine
    # The person who opens the page first proves by a code that this machine is theirs.
    journalctl -u "$SERVICE" -b -n 20 --no-pager -o cat 2>/dev/null | grep 'first admin' | tail -n 1 || true
    port=$(sed -n 's/^GNOMON_PORT=//p' "$ENVIRONMENT" 2>/dev/null || true)
    say "The page: http://$(uname -n):${port:-$PORT}/"
}

do_rollback() {
    before=$(readlink "$PREVIOUS" || true)
    [ -e "$before/$COMPLETE" ] || fail "There is no version to go back to."
    refuse_while_playing
    say "Back to $(basename "$before")"
    UNITS_CHANGED=yes
    target=$before
    [ "$DRY_RUN" = yes ] || write_units "$before"
    run_version "$before"
}

do_remove() {
    refuse_while_playing
    say "Taking Gnomon off"
    for unit in "$SERVICE" "$SAFE"; do
        if [ -e "$UNITS/$unit" ]; then
            change "stopped $unit" systemctl disable --now "$unit" || note "$unit could not be stopped"
            change "deleted $UNITS/$unit" rm -rf "$UNITS/$unit" "$UNITS/$unit.d"
        fi
    done
    [ "$DRY_RUN" = yes ] || systemctl daemon-reload
    for name in gnomond gnomon; do
        if [ "$(readlink "$COMMANDS/$name")" = "$CURRENT/bin/$name" ]; then
            change "deleted the command $name" rm -f "$COMMANDS/$name"
        fi
    done
    link_shared /nowhere
    for file in "$MODULES" "$RULES"; do
        if [ -e "$file" ]; then change "deleted $file" rm -f "$file"; fi
    done
    if [ -e "$OPT" ]; then change "deleted $OPT" rm -rf "$OPT"; fi
    settings=$(boot_settings)
    if [ -n "$settings" ] && [ -e "$settings.before-gnomon" ]; then
        note "$settings keeps its interfaces; as it was before it is in $settings.before-gnomon"
    fi
    if [ "$PURGE" = no ]; then
        left "$STATE with the games, $ETC, and the user $GNOMON; remove --purge deletes them"
        return 0
    fi
    if [ -d "$STATE" ]; then
        change "deleted the games in $STATE" find "$STATE" -maxdepth 1 -type f \
            \( -name '*.journal*' -o -name 'people.sqlite*' \) -delete
        rmdir "$STATE" 2>/dev/null || [ "$DRY_RUN" = yes ] || note "$STATE holds other files and stays"
    fi
    if getent passwd "$GNOMON" >/dev/null; then
        change "deleted the user $GNOMON" userdel "$GNOMON" || note "the user $GNOMON could not be deleted"
    fi
    # Last: it names the folder of the games.
    if [ -e "$ETC" ]; then change "deleted $ETC" rm -rf "$ETC"; fi
}

do_status() {
    if [ ! -L "$CURRENT" ]; then
        say "Gnomon is not installed."
        return 0
    fi
    say "Version:  $(basename "$(readlink "$CURRENT")")"
    say "Before:   $(if [ -L "$PREVIOUS" ]; then basename "$(readlink "$PREVIOUS")"; else echo none; fi)"
    say "Service:  $(systemctl is-active "$SERVICE" 2>/dev/null || true)"
    say "Games in: $STATE"
    as_gnomon "$CURRENT/bin/gnomond" status --state "$STATE" 2>/dev/null || true
}

main() {
    read_arguments "$@"
    find_state
    UNITS_CHANGED=no
    BUILT=no
    LOG=/dev/null
    if [ "$ACTION" = status ]; then
        do_status
        exit 0
    fi
    need_rights
    take_turns
    if [ "$DRY_RUN" = no ]; then
        LOG=$(mktemp)
        trap 'rm -f "$LOG"' EXIT
        trap 'echo "install.sh: cut off; run it again, nothing is broken." >&2; exit 1' INT TERM HUP
    fi
    case $ACTION in
        install | update) do_install ;;
        rollback) do_rollback ;;
        remove) do_remove ;;
    esac
}

# The shell has read the whole file before anything is done: an update may replace it meanwhile.
main "$@"
exit 0
