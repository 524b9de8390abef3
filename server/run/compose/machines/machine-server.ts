/** Where other machines with media workers connect: mutual TLS, a certificate each, and revocation within a second. */
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { evictSilentWorkers, listMachines, type MachineRow } from '@sightline/media/control'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { StartError } from '@sightline/platform/startup'
import type { RunningWorker, WorkerDesk } from '../worker-connection.ts'
import { issueFrontPair, type MachineAuthority, parseFingerprint } from './certificates.ts'
import { BadFrame, FrameReader, MAX_FIRST_FRAME_BYTES, parseMessage } from './frames.ts'
import { type FirstMessage, firstMessage, type Welcome } from './link-messages.ts'
import { MachineLink } from './machine-link.ts'
import type { HostAndPort } from './machine-settings.ts'
import { type MachineRegistry, machineRegistry } from './registry.ts'

/** The front's end of all links. */
export interface MachineServer extends AsyncDisposable {
  /** Of the machines that are connected. */
  workers(): readonly RunningWorker[]
  problems(): readonly string[]
  /** Whether a machine has gone so lately that others haven't taken over its cameras yet. */
  isUnsettled(): boolean
}

export interface MachineServerDeps {
  readonly listen: HostAndPort
  /** Under the role `sealer`, which no worker has. */
  readonly db: Db
  /** Under the role `media`. */
  readonly mediaDb: Db
  readonly authority: MachineAuthority
  /** Ed25519, private. */
  readonly grantKey: KeyObject
  readonly welcome: Omit<Welcome, 'kind'>
  readonly desk: WorkerDesk
  /** Workers have left; others may take their cameras. */
  readonly onGone: () => void
  readonly log: Logger
  readonly now: () => number
}

/** For TLS and the first frame together. */
const FIRST_MS = 10_000
/** After a machine has gone, others take over its cameras within this. */
const UNSETTLED_MS = 20_000
/** Connections that haven't said what they are for. */
const MAX_WAITING = 200

/** @throws StartError if the port can't be listened on. */
export async function openMachineServer(deps: MachineServerDeps): Promise<MachineServer> {
  const { listen, db, authority, log, now } = deps
  const links = new MachineLinks(deps)
  const registry = await machineRegistry({ load: () => listMachines(db), onLook: links.endRevoked, log, now })
  const sockets = new Set<TLSSocket>()
  const server = createServer({
    ...issueFrontPair(authority, now()),
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
    handshakeTimeout: FIRST_MS,
  })
  server.on('tlsClientError', (err: Error & { readonly code?: string }, socket) => {
    log.warn({ from: socket.remoteAddress, code: err.code }, 'refused a machine without a certificate of ours')
    socket.destroy()
  })
  let waiting = 0
  server.on('secureConnection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if (waiting >= MAX_WAITING) return void socket.destroy()
    waiting++
    const late = setTimeout(() => socket.destroy(), FIRST_MS)
    void admit(socket, registry, links)
      .catch((err: unknown) => {
        const why = err instanceof Error ? err.message : String(err)
        log.warn({ from: socket.remoteAddress, why }, 'refused a machine')
        socket.destroy()
      })
      .finally(() => {
        waiting--
        clearTimeout(late)
      })
  })
  await listenOn(server, listen).catch(async (error: unknown) => {
    await registry[Symbol.asyncDispose]()
    throw error
  })
  return {
    workers: links.workers,
    problems: () => links.problems(registry.admitted()),
    isUnsettled: () => performance.now() - links.lostAt < UNSETTLED_MS,
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]()
      links.endAll()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listenOn(server: Server, { host, port }: HostAndPort): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((cause: unknown) => {
    throw new StartError(`SIGHTLINE_WORKER_LISTEN: can't listen on ${host}:${port}.`, { cause })
  })
}

/** Rejects with the reason if the machine may not connect. */
async function admit(socket: TLSSocket, registry: MachineRegistry, links: MachineLinks): Promise<void> {
  const sha256 = parseFingerprint(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
  const machine = await registry.find(sha256)
  if (machine === undefined) throw new Error('its certificate was revoked, has expired or isn’t known')
  const reader = new FrameReader(socket)
  const text = await reader.next(MAX_FIRST_FRAME_BYTES)
  if (text === undefined) return void socket.destroy()
  const first = firstMessage.safeParse(parseMessage(text))
  if (!first.success) throw new BadFrame('its first message can’t be understood')
  if (first.data.kind === 'hello') links.open(machine, { socket, reader, hello: first.data })
  else if (!links.joinStream(machine, first.data.id, { socket, first: reader.rest() })) socket.destroy()
}

interface MachineConnection {
  readonly socket: TLSSocket
  readonly reader: FrameReader
  readonly hello: Extract<FirstMessage, { kind: 'hello' }>
}

/** One for each machine that is connected. */
class MachineLinks {
  readonly #deps: MachineServerDeps
  readonly #links = new Map<string, MachineLink>()
  readonly #stopping = new AbortController()
  /** By a clock that never jumps. */
  lostAt = Number.NEGATIVE_INFINITY

  constructor(deps: MachineServerDeps) {
    this.#deps = deps
  }

  open(machine: MachineRow, connection: MachineConnection): void {
    const { name } = machine
    // The machine has lost the one before, even if this end hasn't noticed.
    this.#links.get(name)?.end('it has connected again')
    const link = new MachineLink({ ...this.#deps, ...connection, machine })
    if (!link.isOpen) return
    this.#links.set(name, link)
    this.#deps.log.info({ machine: name, from: connection.socket.remoteAddress }, 'a machine has connected')
    void link.closed.then((why) => this.#lost(name, link, why))
  }

  /** @returns false if no viewer waits for it. */
  joinStream(machine: MachineRow, id: string, stream: { readonly socket: TLSSocket; readonly first: Buffer }): boolean {
    const link = this.#links.get(machine.name)
    return link?.certificateSha256.equals(machine.certificateSha256) === true && link.joinStream(id, stream)
  }

  readonly endRevoked = (isAdmitted: (certificateSha256: Buffer) => boolean): void => {
    for (const link of this.#links.values())
      if (!isAdmitted(link.certificateSha256)) link.end('its certificate was revoked')
  }

  endAll(): void {
    this.#stopping.abort()
    for (const link of this.#links.values()) link.end('the front is stopping')
  }

  readonly workers = (): readonly RunningWorker[] => [...this.#links.values()].flatMap((link) => link.workers())

  problems(expected: readonly string[]): readonly string[] {
    const missing = expected.filter((name) => !this.#links.has(name))
    return [
      ...missing.map((name) => `the machine ${name} is not connected`),
      ...[...this.#links.values()].flatMap((link) => link.problems()),
    ]
  }

  #lost(name: string, link: MachineLink, why: string): void {
    if (this.#links.get(name) === link) this.#links.delete(name)
    if (this.#stopping.signal.aborted) return
    this.lostAt = performance.now()
    this.#deps.log.warn({ machine: name, why }, 'a machine is no longer connected')
    void this.#evict(name).catch((err: unknown) => this.#deps.log.warn({ err }, 'could not look for silent workers'))
  }

  /**
   * A machine that has lost both its link and its voice in the database is gone: the others need not wait until its leases
   * expire. One that has only lost the link records on.
   */
  async #evict(name: string): Promise<void> {
    const { mediaDb, onGone, log } = this.#deps
    const until = performance.now() + UNSETTLED_MS
    while (performance.now() < until && !this.#links.has(name) && !this.#stopping.signal.aborted) {
      const evicted = await evictSilentWorkers(mediaDb, name)
      if (evicted.length > 0) {
        log.warn({ machine: name, workers: evicted }, 'others take over the cameras of a machine')
        onGone()
      }
      await new Promise((resolve) => setTimeout(resolve, EVICT_EVERY_MS))
    }
  }
}

const EVICT_EVERY_MS = 100
