#!/usr/bin/env bash
# Tries the two commands of the README on a Debian 12 that has nothing yet: makes one in a folder,
# copies the last commit into it, runs ./idemsim there twice and ./idemsim test once, and removes it.
# Needs root and debootstrap; takes some minutes, so CI does not run it. Arguments go to ./idemsim;
# default: the scenario of the README. FRESH_KEEP=1 keeps the folder.
set -euo pipefail

repo=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
arguments=("$@")
if ((${#arguments[@]} == 0)); then arguments=(scenarios/double_click.json); fi
if ((EUID != 0)); then
  echo "fresh_machine: must be root, for debootstrap and chroot" >&2
  exit 64
fi

machine=$(mktemp -d /var/tmp/idemsim-fresh.XXXXXX)
chmod 755 "$machine"

clean_up() {
  umount "$machine/proc" 2>/dev/null || true
  if [[ ${FRESH_KEEP-} == 1 ]]; then
    echo "fresh_machine: kept $machine"
  else
    rm -rf --one-file-system "$machine"
  fi
}
trap clean_up EXIT

# The mirror and the proxy that this machine's own apt-get uses.
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Component: main' |
  head -n 1)
if [[ -z $mirror ]]; then
  echo "fresh_machine: the sources of apt-get name no bookworm main" >&2
  exit 69
fi
proxy=""
eval "$(apt-config shell proxy Acquire::http::Proxy)"
if [[ -n $proxy && $proxy != DIRECT ]]; then export http_proxy=$proxy https_proxy=$proxy; fi

echo "fresh_machine: making a Debian 12 in $machine"
debootstrap --variant=minbase bookworm "$machine" "$mirror" >"$machine.log" 2>&1 || {
  tail -n 20 "$machine.log" >&2
  exit 69
}
rm -f "$machine.log"
for part in sources.list sources.list.d apt.conf.d preferences.d keyrings trusted.gpg.d; do
  if [[ -e /etc/apt/$part ]]; then
    rm -rf "$machine/etc/apt/$part"
    cp -a "/etc/apt/$part" "$machine/etc/apt/"
  fi
done
for file in resolv.conf hosts; do cp -L "/etc/$file" "$machine/etc/$file"; done
mount -t proc proc "$machine/proc" 2>/dev/null || echo "fresh_machine: no /proc inside"

mkdir -p "$machine/src/idemsim"
git -C "$repo" archive HEAD | tar -x -C "$machine/src/idemsim"

# run ARGS...: ./idemsim with them, inside, in a nearly empty environment; prints time and status.
run() {
  local start_ms status=0
  start_ms=$(date +%s%3N)
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    ${http_proxy:+http_proxy="$http_proxy" https_proxy="$https_proxy"} \
    chroot "$machine" /bin/sh -c 'cd /src/idemsim && exec ./idemsim "$@"' sh "$@" ||
    status=$?
  elapsed_ms=$(($(date +%s%3N) - start_ms))
  echo "fresh_machine: exit $status after $elapsed_ms ms"
  return "$status"
}

echo "fresh_machine: first start of ./idemsim ${arguments[*]}"
run "${arguments[@]}"
echo "fresh_machine: second start"
run "${arguments[@]}"
echo "fresh_machine: ./idemsim test"
run test
