import type { ApiError } from '@sightline/contract/errors'
import {
  type AccessExplanation,
  type CallExplanation,
  explainAccess,
  explainedRight,
  explainOwnAccess,
} from '@sightline/contract/explanations'
import { allRights, isGranting, sourceOfRight } from '@sightline/contract/rights'
import { seesZone } from '@sightline/contract/zones'
import type { Db, Tx } from '@sightline/platform/db'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { findUser, getUserType, type StoredUser } from '../sub-users/index.ts'
import { decisive, type ExplainedUser, explain, isAllowed, type Objects, ofCamera, operations } from './rules.ts'
import { loadExplained, loadProfile, namedCameras, zoneName } from './store.ts'

interface Question {
  readonly operation?: string | undefined
  readonly cameraId?: number | undefined
  readonly zoneId?: number | undefined
}

interface Deps {
  readonly db: Db
  /** The operator's folder for the texts of brands. */
  readonly legalFolder?: string | undefined
}

/** Why a user may or may not do something (api.md §6), from the same rules that authorize calls. */
export const explanations = ({ db, legalFolder }: Deps): readonly ServedRoute[] => [
  serve(explainOwnAccess, (caller, { query }) =>
    db.inTenant(caller, async (tx) => {
      const person = await findUser(tx, caller)
      if (person === undefined) return noSuchObject
      // The token's own limits and a support session are part of the explanation.
      const who = { member: caller, isBlocked: person.row.blocked, profile: await loadProfile(tx, person.row) }
      return answer(tx, { caller, person, who, question: query })
    }),
  ),

  serve(explainAccess, (caller, { params, query }) =>
    db.inTenant(caller, async (tx) => {
      const person = await findUser(tx, { accountId: caller.accountId, userId: params.userId })
      if (person === undefined) return noSuchObject
      return answer(tx, { caller, person, who: await loadExplained(tx, person, legalFolder), question: query })
    }),
  ),
]

const noSuchObject = fail({ error: 'notFound' } as const)

interface Asked {
  readonly caller: MemberCaller
  readonly person: StoredUser
  readonly who: ExplainedUser
  readonly question: Question
}

const answer = (tx: Tx, asked: Asked): Promise<Result<CallExplanation | AccessExplanation, ApiError>> =>
  asked.question.operation === undefined ? overview(tx, asked) : oneCall(tx, asked, asked.question.operation)

const refused = (field: string, message: string) =>
  fail({ error: 'validation', detail: `query: ${field}: ${message}`, fields: [{ field, message }] } as const)

async function oneCall(
  tx: Tx,
  { caller, person, who, question }: Asked,
  name: string,
): Promise<Result<CallExplanation, ApiError>> {
  const operation = operations.get(name)
  if (operation === undefined) return refused('operation', 'not the name of a call for account users')
  for (const kind of ['camera', 'zone'] as const) {
    const isAsked = question[`${kind}Id`] !== undefined
    if (isAsked && !operation.refersTo.has(kind)) return refused(`${kind}Id`, `${name} does not refer to a ${kind}`)
  }
  const objects = await objectsOf(tx, caller, question)
  if (!objects.ok) return objects
  const steps = explain(who, operation, objects.value)
  return ok({
    kind: 'call',
    userId: person.row.user_id,
    operation: name,
    summary: operation.summary,
    allowed: isAllowed(steps),
    steps: [...steps],
  })
}

/** Objects that the caller has no access to are unknown, so an explanation can't reveal them. */
async function objectsOf(
  tx: Tx,
  caller: MemberCaller,
  { cameraId, zoneId }: Question,
): Promise<Result<Objects, ApiError>> {
  if (cameraId === undefined && zoneId === undefined) return ok({})
  const cameras = await namedCameras(tx, caller)
  const camera = cameras.find((candidate) => candidate.cameraId === cameraId)
  if (cameraId !== undefined && camera === undefined) return noSuchObject
  if (zoneId === undefined) return ok({ camera })
  const name = await zoneName(tx, caller.accountId, zoneId)
  const inZone = cameras.filter((candidate) => candidate.zoneId === zoneId)
  const zone = { accountId: caller.accountId, zoneId, cameras: inZone }
  if (name === undefined || !seesZone(caller, zone)) return noSuchObject
  return ok({ camera, zone: { ...zone, name } })
}

async function overview(tx: Tx, { caller, person, who }: Asked): Promise<Result<AccessExplanation, ApiError>> {
  const { row } = person
  const cameras = await namedCameras(tx, caller)
  return ok({
    kind: 'overview',
    userId: row.user_id,
    name: `${row.first_name} ${row.last_name}`,
    isSuperUser: person.holder.isSuperUser,
    blocked: row.blocked,
    accountStatus: row.account_status,
    userType: getUserType(person),
    permissionProfile:
      who.profile === undefined ? null : { permissionProfileId: who.profile.id, name: who.profile.name },
    rights: allRights.map((right) => {
      const source = sourceOfRight(who.member, right)
      const by = source === 'switch' && who.profile?.rights.has(right) === true ? 'profile' : source
      return explainedRight.parse({ right, holds: isGranting(source), by })
    }),
    operations: [...operations.values()].map((operation) => {
      const steps = explain(who, operation, {})
      const { name, summary } = operation
      return { operation: name, summary, allowed: isAllowed(steps), step: decisive(steps) }
    }),
    cameras: cameras.map((camera) => {
      const { by, holds } = ofCamera(who.member, camera)
      const { cameraId, name, zoneId, zoneName: inZone } = camera
      return { cameraId, name, zoneId, zoneName: inZone, reached: holds, by: by as CameraSource }
    }),
  })
}

type CameraSource = AccessExplanation['cameras'][number]['by']
