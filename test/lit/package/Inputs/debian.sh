# debian.sh install|remove FOLDER - installs the package in FOLDER into
# FOLDER/root with dpkg, or removes it and prints what is left.
set -e
package=$(echo "$2"/*.deb) root=$2/root
dpkg="dpkg --root=$root --force-depends --log=/dev/null"
case $1 in
install)
    mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
    : >"$root/var/lib/dpkg/status"
    : >"$root/var/lib/dpkg/available"
    $dpkg --install "$package"
    ;;
remove)
    $dpkg --purge polygpu >/dev/null
    find "$root" -path "$root/var" -prune -o -print
    ;;
esac
