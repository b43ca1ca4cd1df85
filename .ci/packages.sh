# shellcheck shell=bash
# Installs the Debian packages of packages.txt; sourced by ./idemsim and .ci/run. The caller sets
# root (the repository) and say (a function that prints a line of progress).
: "${root:?}"

# packages_of SECTION...: the names in these sections of packages.txt.
packages_of() {
  local wanted=" $* " section="" line
  while IFS= read -r line; do
    case $line in
      '' | '#'*) ;;
      '['*) section=${line//[\[\]]/} ;;
      *) if [[ $wanted == *" $section "* ]]; then printf '%s\n' "$line"; fi ;;
    esac
  done <"$root/.ci/packages.txt"
}

# packages_installed NAME: whether dpkg has it, fully installed.
packages_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# packages_stamp SECTION...: the file that tells that these sections were found installed.
packages_stamp() {
  local IFS=-
  printf '%s' "$root/build/.packages-$*"
}

# packages_known SECTION...: whether packages.txt is still the one that was found installed.
packages_known() {
  local stamp
  stamp=$(packages_stamp "$@")
  [[ -f $stamp && $(<"$stamp") == "$(cksum <"$root/.ci/packages.txt")" ]]
}

# packages_ensure LOG SECTION...: installs what is missing, or exits 69 saying what to run.
packages_ensure() {
  local log=$1 name missing=() as_root=()
  shift
  if packages_known "$@"; then return 0; fi
  mkdir -p "$root/build"
  if ! command -v dpkg-query >/dev/null; then
    say "this is not a Debian system; going on as if these were installed:" \
      "$(packages_of "$@" | tr '\n' ' ')"
    return 0
  fi
  for name in $(packages_of "$@"); do
    packages_installed "$name" || missing+=("$name")
  done
  if ((${#missing[@]} > 0)); then
    if packages_installed libboost1.74-dev && [[ " ${missing[*]} " == *" libboost1.81-dev "* ]]; then
      say "note: libboost1.81-dev takes the place of libboost1.74-dev, which apt-get removes"
    fi
    if ((EUID != 0)); then
      if sudo -n true 2>/dev/null; then
        say "not root: using sudo"
        as_root=(sudo -n)
      else
        say "missing packages; as root, run"
        say "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        exit 69
      fi
    fi
    say "installing ${missing[*]}"
    if ! packages_install "$log" "${missing[@]}"; then
      tail -n 20 "$log" >&2
      say "apt-get failed; the whole log is $log"
      exit 69
    fi
  fi
  cksum <"$root/.ci/packages.txt" >"$(packages_stamp "$@")"
}

# packages_install LOG NAME...: apt-get, waiting for another apt-get to finish; uses as_root.
packages_install() {
  local log=$1
  shift
  {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 \
        install -y --no-install-recommends "$@"
  } </dev/null >"$log" 2>&1
}
