import type {
  DiscoveredCamera,
  DiscoveryAnswer,
  DiscoveryQuestion,
  DiscoveryState,
  JoinedDiscovery,
} from '@sightline/contract/media-plane'
import { machineOfDisk } from '@sightline/media/control'
import type { RunningWorker } from './worker-connection.ts'

type Discoverer = Pick<RunningWorker, 'disk' | 'discovery'>

/** What a machine answered. */
interface MachineDiscovery {
  readonly machine: string
  readonly answer: DiscoveryAnswer
}

/** So many accounts' searches are remembered. */
const MAX_REMEMBERED = 1000

/** Searches by one worker of each machine: cameras are found in the networks that its machine is in. */
export class JoinedDiscoveries {
  /** The machines that took no part in the last search of an account: what they found before is older. */
  readonly #absent = new Map<number, ReadonlySet<string>>()

  /** A machine that searches already goes on, unless all do. */
  async ask(workers: readonly Discoverer[], question: DiscoveryQuestion): Promise<JoinedDiscovery> {
    const { accountId, start, cancel } = question
    const answers = await askAll(workers, question)
    const joined = joinDiscoveries(answers)
    if (start === undefined || cancel === true)
      return joinDiscoveries(answers.map((one) => this.#current(accountId, one)))
    if (joined.kind === 'state') {
      this.#remember(accountId, answers)
      const isBusy = answers.some(({ answer }) => answer.kind === 'busy')
      if (isBusy) return await this.ask(workers, { accountId })
    }
    return joined
  }

  #remember(accountId: number, answers: readonly MachineDiscovery[]): void {
    const absent = answers.filter(({ answer }) => answer.kind === 'notAllowed' || answer.kind === 'tooLarge')
    this.#absent.delete(accountId)
    this.#absent.set(accountId, new Set(absent.map(({ machine }) => machine)))
    const [oldest] = this.#absent.keys()
    if (this.#absent.size > MAX_REMEMBERED && oldest !== undefined) this.#absent.delete(oldest)
  }

  #current(accountId: number, { machine, answer }: MachineDiscovery): MachineDiscovery {
    const isAbsent = this.#absent.get(accountId)?.has(machine) === true
    if (answer.kind !== 'state' || !isAbsent) return { machine, answer }
    return { machine, answer: { ...answer, search: 'none', cameras: [] } }
  }
}

const askAll = (workers: readonly Discoverer[], question: DiscoveryQuestion): Promise<readonly MachineDiscovery[]> =>
  Promise.all(
    workers.map(async (worker) => {
      const answer = (await worker.discovery(question)) ?? { kind: 'timedOut' }
      return { machine: machineOfDisk(worker.disk), answer }
    }),
  )

/** In the order of what helps most: what to do differently, then what to wait for. */
const REFUSALS = ['busy', 'tooLarge', 'notAllowed', 'timedOut'] as const

/** What all machines found. A machine that doesn't answer, or may not search that network, doesn't keep the others' from being listed. */
export function joinDiscoveries(answers: readonly MachineDiscovery[]): JoinedDiscovery {
  const found = answers.flatMap(({ machine, answer }) => (answer.kind === 'state' ? [{ machine, state: answer }] : []))
  const refusals = answers.map(({ answer }) => answer.kind)
  if (found.length === 0) return { kind: REFUSALS.find((kind) => refusals.includes(kind)) ?? 'timedOut' }
  const states = found.map(({ state }) => state)
  const begun = states.filter(({ search }) => search !== 'none')
  const isRunning = begun.some(({ search }) => search === 'running')
  const search = isRunning ? 'running' : 'done'
  return {
    kind: 'state',
    networks: [...new Set(states.flatMap(({ networks }) => networks))],
    search: begun.length === 0 ? 'none' : search,
    progress: Math.min(100, ...begun.map(({ progress }) => progress)),
    cameras: joinCameras(found, answers.length),
  }
}

/** Two machines found the same one if address, port and MAC address are the same: networks of two sites may have the same addresses. */
const identityOf = ({ address, port, ethMacAddress }: DiscoveredCamera): string => `${address} ${port} ${ethMacAddress}`

function joinCameras(
  found: readonly { readonly machine: string; readonly state: DiscoveryState }[],
  /** How many machines there are. */
  asked: number,
) {
  const all = found.flatMap(({ machine, state }) => state.cameras.map((camera) => ({ machine, camera })))
  return [...Map.groupBy(all, ({ camera }) => identityOf(camera)).values()].flatMap((same) => {
    const machines = [...new Set(same.map(({ machine }) => machine))]
    const [first] = same
    return first === undefined ? [] : [{ ...first.camera, machines: machines.length === asked ? [] : machines }]
  })
}
