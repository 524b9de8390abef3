import type { ExplainedStep } from '@sightline/contract/explanations'
import {
  blockedStep,
  cameraStep,
  describeStep,
  listSteps,
  type Member,
  type Rule,
  type RuleStep,
  type ScopedCamera,
} from '@sightline/contract/rights'
import { allRoutes } from '@sightline/contract/routes'
import { streamRules } from '@sightline/contract/streams'
import type { Referent } from '@sightline/contract/wire'
import { holdsZone, seesZone } from '@sightline/contract/zones'

/** The user whose permissions are explained, as authorization sees them, and the source of their rights. */
export interface ExplainedUser {
  readonly member: Member
  readonly isBlocked: boolean
  /** The profile that the rights follow. */
  readonly profile: { readonly id: number; readonly name: string; readonly rights: ReadonlySet<string> } | undefined
}

/** An action of members: a call of the contract, or watching. */
export interface ExplainedOperation {
  readonly name: string
  readonly summary: string
  readonly rule: Rule
  /** What its ids refer to. */
  readonly refersTo: ReadonlySet<Referent>
}

const camera: ReadonlySet<Referent> = new Set(['camera'])
const watching: readonly ExplainedOperation[] = [
  { name: 'live', summary: 'Watch live video', rule: streamRules.live, refersTo: camera },
  { name: 'playback', summary: 'Watch recordings', rule: streamRules.playback, refersTo: camera },
  { name: 'mp4', summary: 'Download footage', rule: streamRules.mp4, refersTo: camera },
  { name: 'snapshot', summary: 'Open a picture by its address', rule: streamRules.snapshot, refersTo: camera },
]

/** All actions that a member can be allowed or denied, by name. */
export const operations: ReadonlyMap<string, ExplainedOperation> = new Map(
  [
    ...watching,
    ...allRoutes
      .filter(({ access, callers }) => access !== 'public' && callers !== 'staff')
      .map(
        (route): ExplainedOperation => ({
          name: route.name,
          summary: route.summary,
          rule: route,
          refersTo: new Set(Object.values(route.ids)),
        }),
      ),
  ].map((operation) => [operation.name, operation]),
)

/** The objects of a call that the asking user may see. */
export interface Objects {
  readonly camera?: (ScopedCamera & { readonly name: string; readonly zoneName: string }) | undefined
  readonly zone?:
    | {
        readonly accountId: number
        readonly zoneId: number
        readonly name: string
        readonly cameras: readonly ScopedCamera[]
      }
    | undefined
}

/** All conditions of a call, up to the first that fails. */
export function explain(
  who: ExplainedUser,
  { rule }: Pick<ExplainedOperation, 'rule'>,
  objects: Objects,
): readonly ExplainedStep[] {
  if (who.isBlocked) return [told(blockedStep, null)]
  const steps = listSteps(rule, who.member).map((step) => withProfile(step, who))
  if (steps.some((step) => !step.holds)) return steps
  const ofObjects = [
    ...(objects.camera === undefined ? [] : [ofCamera(who.member, objects.camera)]),
    ...(objects.zone === undefined ? [] : [ofZone(who.member, objects.zone, rule)]),
  ]
  const denied = ofObjects.findIndex((step) => !step.holds)
  return [...steps, ...(denied === -1 ? ofObjects : ofObjects.slice(0, denied + 1))]
}

export const isAllowed = (steps: readonly ExplainedStep[]): boolean => steps.every(({ holds }) => holds)

const signedIn: ExplainedStep = {
  check: 'caller',
  subject: 'members',
  by: 'member',
  holds: true,
  via: null,
  sentence: 'all users of the account can do this',
}
const telling: ReadonlySet<string> = new Set(['owner', 'right', 'module'])

/** The condition that decided: the one that failed, otherwise the grant. */
export const decisive = (steps: readonly ExplainedStep[]): ExplainedStep =>
  steps.find(({ holds }) => !holds) ?? steps.findLast(({ check }) => telling.has(check)) ?? signedIn

function withProfile(step: RuleStep, { profile }: ExplainedUser): ExplainedStep {
  const isOfProfile = step.check === 'right' && step.by === 'switch' && profile?.rights.has(step.subject)
  if (!isOfProfile || profile === undefined) return told(step, null)
  return told({ ...step, by: 'profile' }, { kind: 'profile', id: profile.id, name: profile.name })
}

/** A member's access to a camera, and the camera or zone that gives it. */
export function ofCamera(member: Member, asked: NonNullable<Objects['camera']>): ExplainedStep {
  const step = cameraStep(member, asked)
  const { cameraId, zoneId, name, zoneName } = asked
  if (step.by === 'zone') return told(step, { kind: 'zone', id: zoneId, name: zoneName })
  return told(step, { kind: 'camera', id: cameraId, name })
}

/**
 * A zone is visible because of one camera in it that the asking user has access to. Changing it requires full access.
 */
function ofZone(member: Member, zone: NonNullable<Objects['zone']>, { method }: Rule): ExplainedStep {
  const by = zoneSource(member, zone)
  const holds = by !== 'missing' && (by !== 'camera' || method === 'GET')
  const step: RuleStep = { check: 'zone', subject: String(zone.zoneId), by, holds }
  return told(step, { kind: 'zone', id: zone.zoneId, name: zone.name })
}

function zoneSource(
  member: Member,
  zone: NonNullable<Objects['zone']>,
): 'owner' | 'all' | 'zone' | 'camera' | 'missing' {
  if (!holdsZone(member, zone)) return seesZone(member, zone) ? 'camera' : 'missing'
  if (member.isSuperUser) return 'owner'
  return member.access.kind === 'all' ? 'all' : 'zone'
}

const told = (step: RuleStep, via: ExplainedStep['via']): ExplainedStep => ({
  ...step,
  via,
  sentence: step.holds ? grantSentence(step, via) : describeStep(step),
})

function grantSentence({ check, subject, by }: RuleStep, via: ExplainedStep['via']): string {
  switch (check) {
    case 'right':
      return rightSentence(subject, by, via)
    case 'camera':
    case 'zone':
      return objectSentence(check, by, via)
    case 'owner':
      return 'the account owner can do this'
    case 'scope':
      return `the token has the scope ${subject}`
    case 'account':
      return 'the account is active'
    case 'module':
      return `the brand has the module ${subject}`
    default:
      return 'this is allowed'
  }
}

function rightSentence(right: string, by: string, via: ExplainedStep['via']): string {
  if (by === 'owner') return `the owner has every right, including ${right}`
  if (by === 'mandatory') return `all users have the right ${right}`
  return via === null ? `the right ${right} is on` : `the permission profile "${via.name}" includes the right ${right}`
}

function objectSentence(check: 'camera' | 'zone', by: string, via: ExplainedStep['via']): string {
  if (by === 'owner') return `the owner has access to every ${check}`
  if (by === 'all') return 'the user has access to all cameras'
  if (by === 'zone') return `the user has access to the zone "${via?.name}"`
  return check === 'camera'
    ? `the user has access to the camera "${via?.name}"`
    : 'the user has access to a camera in the zone'
}
