import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import {
  addMachine,
  endConnections,
  listMachines,
  type MachineRow,
  machineUser,
  revokeMachine,
} from '@sightline/media/control'
import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { fail, ok, type Result } from '@sightline/platform/result'
import { issueMachinePair, type MachineAuthority } from '../../compose/machines/certificates.ts'
import { credentialsText } from '../../compose/machines/credentials.ts'
import { type MachineCommand, USAGE } from './options.ts'

export interface MachineCommandDeps {
  /** Under the role `owner`. */
  readonly db: Db
  readonly authority: MachineAuthority
  /** Ed25519, private. */
  readonly grantKey: KeyObject
  readonly clock: Clock
}

/** Runs the operator's command; returns the text to print, or a sentence about the error. */
export async function runCommand(command: MachineCommand, deps: MachineCommandDeps): Promise<Result<string, string>> {
  const { db, clock } = deps
  switch (command.kind) {
    case 'help':
      return ok(USAGE)
    case 'list': {
      const machines = await listMachines(db)
      return ok(machines.map((machine) => describe(machine, clock.now())).join('') || 'No machines were added.\n')
    }
    case 'add':
      return await add(command, deps)
    case 'revoke': {
      const { name } = command
      if (!(await revokeMachine(db, name, clock.now())))
        return fail(`There is no machine ${name} that could be revoked.`)
      await endConnections(db, name)
      return ok(`Revoked ${name}. Footage on its disk can't be played any more.\n`)
    }
  }
}

async function add(
  { name, file }: Extract<MachineCommand, { kind: 'add' }>,
  { db, authority, grantKey, clock }: MachineCommandDeps,
): Promise<Result<string, string>> {
  // Before anything changes: a file that is there may be another machine's.
  const created = await open(file, 'wx', 0o600).catch(() => undefined)
  if (created === undefined) return fail(`Could not create ${file}. If it exists, remove it or choose another --file.`)
  await using handle = created
  const now = clock.now()
  const { cert, key, sha256, expiresAt } = issueMachinePair(authority, name, now)
  const password = randomBytes(24).toString('base64url')
  await addMachine(db, { name, certificateSha256: sha256, issuedAt: now, expiresAt, password })
  await endConnections(db, name)
  await handle.writeFile(
    credentialsText({
      name,
      certificate: cert,
      key,
      authority: authority.certificate,
      grantKey: createPublicKey(grantKey),
      database: { user: machineUser(name), password },
    }),
  )
  return ok(
    `Added ${name}. Its certificate expires on ${dayOf(expiresAt)}.\nMove ${file} to that machine, as worker.json in its data folder, and delete it here.\n`,
  )
}

function describe({ name, issuedAt, expiresAt, revokedAt }: MachineRow, now: number): string {
  const state =
    revokedAt === undefined
      ? `${expiresAt > now ? 'expires' : 'expired'} on ${dayOf(expiresAt)}`
      : `revoked on ${dayOf(revokedAt)}`
  return `${name}  added on ${dayOf(issuedAt)}; ${state}\n`
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
