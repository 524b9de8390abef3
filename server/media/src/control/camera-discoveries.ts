import { networkInterfaces } from 'node:os'
import type {
  DiscoveredCamera,
  DiscoveryAnswer,
  DiscoveryQuestion,
  DiscoveryState,
} from '@sightline/contract/media-plane'
import type { Logger } from '@sightline/platform/log'
import { discoverCameras, isWithinNetworks, listAddresses, type SweptPorts } from '../source/index.ts'
import { type CameraNetworks, searchRule } from './camera-networks.ts'

interface DiscoveriesDeps {
  readonly networks: Pick<CameraNetworks, 'refresh' | 'networksOf' | 'connectOf'>
  readonly log: Logger
  /** The addresses of this machine. */
  readonly interfaces?: () => readonly string[]
  /** Where cameras that don't announce themselves are asked; the usual ports unless given. */
  readonly ports?: SweptPorts
}

/** Searches for cameras, one at a time for each account; what was found stays until the next one. */
export interface CameraDiscoveries extends AsyncDisposable {
  ask(question: DiscoveryQuestion): Promise<DiscoveryAnswer>
}

interface Search {
  progress: number
  isRunning: boolean
  readonly cameras: DiscoveredCamera[]
  readonly stop: AbortController
}

/** So many accounts' results are remembered. */
const MAX_REMEMBERED = 1000

/** The addresses of this machine. */
export const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address),
  )

export function cameraDiscoveries({
  networks,
  log,
  interfaces = ownAddresses,
  ports,
}: DiscoveriesDeps): CameraDiscoveries {
  const searches = new Map<number, Search>()
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  const stateOf = (accountId: number): DiscoveryState => {
    const search = searches.get(accountId)
    const found = { cameras: search?.cameras ?? [], progress: Math.round((search?.progress ?? 0) * 100) }
    const state = search?.isRunning === true ? 'running' : 'done'
    return {
      kind: 'state',
      networks: networks.networksOf(accountId),
      search: search === undefined ? 'none' : state,
      ...found,
    }
  }
  const begin = (accountId: number, addresses: readonly string[], connects: boolean) => {
    const mayUse = searchRule(networks.networksOf(accountId))
    const search: Search = { progress: 0, isRunning: true, cameras: [], stop: new AbortController() }
    searches.delete(accountId)
    searches.set(accountId, search)
    const [oldest] = searches.keys()
    if (searches.size > MAX_REMEMBERED && oldest !== undefined) searches.delete(oldest)
    const done = discoverCameras({
      interfaces: interfaces().filter(mayUse),
      addresses,
      mayUse,
      onFound: (camera) => search.cameras.push(camera),
      onProgress: (part) => {
        search.progress = part
      },
      signal: AbortSignal.any([stopping.signal, search.stop.signal]),
      sweep: connects
        ? { connect: networks.connectOf(accountId), ...(ports === undefined ? {} : { ports }) }
        : undefined,
    })
      .catch((err: unknown) => log.error({ err, accountId }, 'a search for cameras failed'))
      .finally(() => {
        search.isRunning = false
        running.delete(done)
      })
    running.add(done)
  }
  return {
    async ask({ accountId, start, cancel }) {
      // The operator may just have assigned a network, or taken one away.
      await networks.refresh()
      if (cancel === true) searches.get(accountId)?.stop.abort()
      if (start === undefined || cancel === true) return stateOf(accountId)
      if (searches.get(accountId)?.isRunning === true) return { kind: 'busy' }
      const { sweep, connect } = start
      if (sweep !== null && !isWithinNetworks(sweep, networks.networksOf(accountId))) return { kind: 'notAllowed' }
      const addresses = sweep === null ? [] : listAddresses(sweep)
      if (addresses === undefined) return { kind: 'tooLarge' }
      begin(accountId, addresses, connect && sweep !== null)
      return stateOf(accountId)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
