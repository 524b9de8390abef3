// The repository describes only the product: no paths of a developer's machine, no package hosts.
import { readFileSync } from 'node:fs'
import { productFiles, readJson } from './tree.ts'
import { report } from './verdict.ts'

/** Written in pieces, so that the check does not find this file. */
const ABSOLUTE = ['work', 'root', 'farm', 'home/[a-z]+', 'Users/[A-Za-z]+', 'tmp/[\\w.-]'].join('|')
const MACHINE_PATH = new RegExp(`(?<![\\w.)\\]}*~-])/(?:${ABSOLUTE})(?![\\w-])(?:/|(?<=[\\w.-]))`)
const REGISTRY = /:\/\/(?:registry|deb|npm|pypi|proxy)\.[a-z]/

const BINARY = /\.(png|jpe?g|ico|woff2?|mp4|webm|h264|h265|aac|opus|bin|gz|zip|pcap|gif|webp|m4s|ts\.bin)$/

const leaks = productFiles()
  .filter((file) => !BINARY.test(file) && file !== 'package-lock.json' && file !== 'LICENSE')
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => {
        const found = MACHINE_PATH.exec(line) ?? REGISTRY.exec(line)
        return found === null
          ? []
          : [
              `${file}:${i + 1} speaks of a machine: ${line.slice(Math.max(0, found.index - 20), found.index + 50).trim()}`,
            ]
      }),
  )

const { packages } = readJson('package-lock.json') as { packages: Readonly<Record<string, { resolved?: string }>> }
const hosts = Object.entries(packages)
  .filter(([, { resolved }]) => resolved !== undefined && /^[a-z+]+:\/\//.test(resolved))
  .map(
    ([path]) =>
      `package-lock.json: ${path} names the host it was fetched from; install with omit-lockfile-registry-resolved`,
  )

report([...leaks, ...hosts])
