import { setInterval } from 'node:timers/promises'
import type { MachineRow } from '@sightline/media/control'
import type { Logger } from '@sightline/platform/log'

/** The machines that the operator added. What was last read counts while the database is away. */
export interface MachineRegistry extends AsyncDisposable {
  /** The machine that may connect with this certificate (SHA-256); undefined if none may. */
  find(certificateSha256: Buffer): Promise<MachineRow | undefined>
  /** The names of those that may connect. */
  admitted(): readonly string[]
}

export interface MachineRegistryDeps {
  readonly load: () => Promise<readonly MachineRow[]>
  /** Called after each look, with the machines that may connect. */
  readonly onLook: (isAdmitted: (certificateSha256: Buffer) => boolean) => void
  readonly log: Logger
  readonly now: () => number
}

/** A revocation takes effect within this. */
const LOOK_EVERY_MS = 1000

export async function machineRegistry({ load, onLook, log, now }: MachineRegistryDeps): Promise<MachineRegistry> {
  const stopping = new AbortController()
  let machines = await load()
  let isFailing = false
  const look = async () => {
    try {
      machines = await load()
      isFailing = false
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'could not read which machines may connect; those that were read last may')
      isFailing = true
    }
    onLook((sha256) => findAdmitted(sha256) !== undefined)
  }
  const isAdmitted = ({ revokedAt, expiresAt }: MachineRow) => revokedAt === undefined && expiresAt > now()
  const findAdmitted = (sha256: Buffer) =>
    machines.find((machine) => machine.certificateSha256.equals(sha256) && isAdmitted(machine))
  const keepLooking = async () => {
    for await (const _ of setInterval(LOOK_EVERY_MS, undefined, { signal: stopping.signal })) await look()
  }
  const looking = keepLooking().catch(() => undefined)
  return {
    async find(sha256) {
      await look()
      return findAdmitted(sha256)
    },
    admitted: () => machines.filter(isAdmitted).map(({ name }) => name),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await looking
    },
  }
}
