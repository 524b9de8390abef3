import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

/** A network of its own, joined to this machine's by one cable that the test can pull. */
export interface NetworkNamespace extends Disposable {
  /** Words before a program that runs in it. */
  readonly under: readonly string[]
  /** The two ends of the cable. */
  readonly hostAddress: string
  readonly address: string
  /** Joins it to another one, by a cable that this machine has no end of. */
  join(other: NetworkNamespace, addresses: readonly [string, string]): void
  /** Nothing passes any more, and no connection is closed. */
  pull(): void
  plug(): void
}

/** Why there can't be any here; undefined if there can. */
export function namespaceProblem(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  if (process.getuid?.() !== 0) return 'needs root, to make network namespaces'
  try {
    const name = nameOf('t')
    ip('netns', 'add', name)
    ip('netns', 'del', name)
    return undefined
  } catch {
    return 'needs the program ip, and a kernel with network namespaces'
  }
}

/** Absolute: what runs under it may have no search path. */
const ipPath = (): string => execFileSync('sh', ['-c', 'command -v ip'], { encoding: 'utf8' }).trim()
const ip = (...words: readonly string[]): void => void execFileSync('ip', words, { stdio: 'pipe' })

/** At most 15 characters, as interfaces have. */
const nameOf = (kind: string): string => `sl${kind}${process.pid}${randomInt(1000)}`

/** Makes one; its addresses are in 10.213.0.0/16. */
export function openNetworkNamespace(): NetworkNamespace {
  const name = nameOf('n')
  const hostEnd = nameOf('h')
  const end = nameOf('e')
  const block = randomInt(256 * 64)
  const base = `10.213.${Math.floor(block / 64)}.`
  const hostAddress = `${base}${(block % 64) * 4 + 1}`
  const address = `${base}${(block % 64) * 4 + 2}`
  ip('netns', 'add', name)
  ip('link', 'add', hostEnd, 'type', 'veth', 'peer', 'name', end, 'netns', name)
  ip('addr', 'add', `${hostAddress}/30`, 'dev', hostEnd)
  ip('link', 'set', hostEnd, 'up')
  ip('-n', name, 'link', 'set', 'lo', 'up')
  ip('-n', name, 'addr', 'add', `${address}/30`, 'dev', end)
  ip('-n', name, 'link', 'set', end, 'up')
  return {
    under: [ipPath(), 'netns', 'exec', name],
    hostAddress,
    address,
    join(other, [near, far]) {
      const [one, two] = [nameOf('a'), nameOf('b')]
      const otherName = other.under.at(-1) ?? ''
      ip('-n', name, 'link', 'add', one, 'type', 'veth', 'peer', 'name', two, 'netns', otherName)
      for (const [where, device, at] of [
        [name, one, near],
        [otherName, two, far],
      ] as const) {
        ip('-n', where, 'addr', 'add', at, 'dev', device)
        ip('-n', where, 'link', 'set', device, 'up')
      }
    },
    pull: () => ip('-n', name, 'link', 'set', end, 'down'),
    plug: () => ip('-n', name, 'link', 'set', end, 'up'),
    [Symbol.dispose]() {
      // Its interfaces go with it, and their other ends.
      ip('netns', 'del', name)
    },
  }
}
