import type { OwnedObject } from './canaries.ts'
import { comparable, type Entry, type TenancyCase } from './cases.ts'
import type { Call, FrameReply, ServedFrame } from './frame.ts'
import type { Journal, WrittenRow } from './journal.ts'
import { maySee, type Who } from './principals.ts'
import type { World } from './world.ts'

/** A deviation from the expected outcome. */
export interface TenancyFinding {
  readonly operation: string
  readonly who: string
  readonly target: string
  readonly expected: string
  readonly got: string
}

export const describeFinding = ({ operation, who, target, expected, got }: TenancyFinding): string =>
  `${operation}, ${who}, ${target}: expected ${expected}, got ${got}`

export interface CaseResult {
  readonly tenancyCase: TenancyCase
  readonly observed: ObservedOutcome
}
export type ObservedOutcome = 'token' | 'forbidden' | 'absent' | 'allowed' | 'broken'

/** Where cases are tried: routes over the world, with every write recorded and undone. */
export interface TrialFixture {
  readonly world: World
  readonly journal: Journal
  readonly frame: ServedFrame
}

export interface TrialReport {
  readonly tried: readonly CaseResult[]
  readonly findings: readonly TenancyFinding[]
}

/** Few calls at a time: both ends run on the same few cores. */
const AT_ONCE = 12

/**
 * Tries the cases of one operation. Cases that must not change anything run together; any row they write is a finding.
 * Cases that may change something run one after the other, each from the same state.
 */
export async function tryOperation(
  entry: Entry,
  cases: readonly TenancyCase[],
  fixture: TrialFixture,
): Promise<TrialReport> {
  const tried: CaseResult[] = []
  const findings: TenancyFinding[] = []
  const isWrite = entry.route.method !== 'GET' || entry.operation.records !== undefined
  const changes = (tenancyCase: TenancyCase) => isWrite && mayChange(tenancyCase)
  const still = cases.filter((tenancyCase) => !changes(tenancyCase))
  await inParallel(still, async (tenancyCase) => {
    const { observed, found } = await tryCase(tenancyCase, fixture)
    tried.push({ tenancyCase, observed })
    findings.push(...found)
  })
  findings.push(...(await foundWritten(still, fixture)))
  for (const tenancyCase of cases.filter(changes)) {
    const { observed, found } = await tryCase(tenancyCase, fixture)
    tried.push({ tenancyCase, observed })
    findings.push(...found, ...wrongWrites(tenancyCase, observed, await fixture.journal.read(), fixture.world))
    await fixture.journal.undo()
  }
  return { tried, findings }
}

const mayChange = ({ expected, entry }: TenancyCase): boolean =>
  expected === 'allowed' || (typeof expected === 'object' && expected.statuses.includes(entry.route.status))

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values()
  const worker = async () => {
    for (const one of waiting) await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, worker))
}

/** Refused calls and reads must write nothing; repeating them one by one finds the one that did. */
async function foundWritten(cases: readonly TenancyCase[], fixture: TrialFixture): Promise<TenancyFinding[]> {
  const written = await fixture.journal.read()
  if (written.length === 0) return []
  await fixture.journal.undo()
  const findings: TenancyFinding[] = []
  for (const tenancyCase of cases) {
    await fixture.frame.call(tenancyCase.call)
    const rows = await fixture.journal.read()
    if (rows.length > 0) findings.push(finding(tenancyCase, 'nothing written', `rows of ${tablesOf(rows)} written`))
    await fixture.journal.undo()
  }
  if (findings.length > 0) return findings
  const [first] = cases
  return first === undefined ? [] : [finding(first, 'nothing written', `rows of ${tablesOf(written)} written once`)]
}

const tablesOf = (rows: readonly WrittenRow[]): string => [...new Set(rows.map(({ table }) => table))].join(', ')

async function tryCase(
  tenancyCase: TenancyCase,
  { frame, world }: TrialFixture,
): Promise<{ observed: ObservedOutcome; found: TenancyFinding[] }> {
  const answer = await frame.call(tenancyCase.call)
  const observed = observedOf(answer)
  const found = [...(await wrongAnswer(tenancyCase, answer, frame)), ...leaks(tenancyCase, answer, world)]
  return { observed, found }
}

function observedOf({ status, headers, text }: FrameReply): ObservedOutcome {
  if (status === 401 && headers.includes('error="invalid_token"')) return 'token'
  const code = text.startsWith('{') && status >= 400 ? (JSON.parse(text) as { code?: number }).code : undefined
  if (status === 403 && code === 9) return 'forbidden'
  if (status === 404 && code === 4) return 'absent'
  return status >= 500 ? 'broken' : 'allowed'
}

const finding = ({ entry, who, target }: TenancyCase, expected: string, got: string): TenancyFinding => ({
  operation: entry.title,
  who: who.name,
  target,
  expected,
  got,
})

const shortly = ({ status, text }: FrameReply): string => `${status} ${text.slice(0, 200)}`

async function wrongAnswer(
  tenancyCase: TenancyCase,
  answer: FrameReply,
  frame: ServedFrame,
): Promise<TenancyFinding[]> {
  const { expected } = tenancyCase
  if (typeof expected === 'object') return unlike(tenancyCase, { answer, expected, frame })
  const found = wrongVerdict(tenancyCase, expected, answer)
  return found === undefined ? [] : [found]
}

function wrongVerdict(
  tenancyCase: TenancyCase,
  expected: Exclude<TenancyCase['expected'], object>,
  answer: FrameReply,
): TenancyFinding | undefined {
  const { route, operation } = tenancyCase.entry
  const observed = observedOf(answer)
  if (expected === 'token') {
    const isOauth = /^\{"error":"invalid_token"/.test(answer.text)
    return observed === 'token' && isOauth ? undefined : finding(tenancyCase, '401 with an OAuth body', shortly(answer))
  }
  const good = [route.status, ...Object.keys(operation.also ?? {}).map(Number)]
  // An allowed caller gets 404 if the entry declares that nothing exists.
  const isEmptyHanded = expected === 'allowed' && observed === 'absent' && good.includes(answer.status)
  if (observed !== expected && !isEmptyHanded) return finding(tenancyCase, expected, shortly(answer))
  if (expected !== 'allowed') return undefined
  if (!good.includes(answer.status)) return finding(tenancyCase, good.join(' or '), shortly(answer))
  const wrong = operation.wrong?.(tenancyCase.who, answer.text)
  return wrong === undefined ? undefined : finding(tenancyCase, 'another answer', wrong)
}

/** A foreign and a nonexistent id must get the same answer, byte for byte. */
async function unlike(
  tenancyCase: TenancyCase,
  given: { answer: FrameReply; expected: { likeAnswerTo: Call; statuses: readonly number[] }; frame: ServedFrame },
): Promise<TenancyFinding[]> {
  const { answer, expected, frame } = given
  const nothing = await frame.call(expected.likeAnswerTo)
  const same =
    sameAnswer(answer, nothing) ||
    comparable(answer, differing(tenancyCase.call, expected.likeAnswerTo)) ===
      comparable(nothing, differing(expected.likeAnswerTo, tenancyCase.call))
  if (!same) return [finding(tenancyCase, `the answer to an unknown id: ${shortly(nothing)}`, shortly(answer))]
  const isGood = expected.statuses.includes(answer.status)
  return isGood ? [] : [finding(tenancyCase, expected.statuses.join(' or '), shortly(answer))]
}

const sameAnswer = (one: FrameReply, other: FrameReply): boolean =>
  one.status === other.status && one.headers === other.headers && one.text === other.text

/** The first call's id that the second does not contain. */
function differing(one: Call, other: Call): string {
  const numbers = (call: Call) => `${call.path} ${JSON.stringify(call.body ?? '')}`.match(/\d{5,}/g) ?? []
  const others = new Set(numbers(other))
  return numbers(one).find((id) => !others.has(id)) ?? '<none>'
}

/** Objects named in the request: an answer may repeat them. */
const saidIn = (call: Call, { canaries }: World): ReadonlySet<OwnedObject> =>
  new Set(canaries.shownIn(`${decodeURIComponent(call.path)} ${JSON.stringify(call.body ?? '')}`))

/** Objects in an answer that the caller must not see, except those the request named. */
function leaks(tenancyCase: TenancyCase, answer: FrameReply, world: World): TenancyFinding[] {
  const { call, who } = tenancyCase
  const said = saidIn(call, world)
  if (/token-\d+/.test(answer.text)) return [finding(tenancyCase, 'no token', shortly(answer))]
  return world.canaries
    .shownIn(`${answer.headers}\n${answer.text}`)
    .filter((owned) => !said.has(owned) && !maySee(who, owned))
    .map((owned) =>
      finding(tenancyCase, 'only the caller’s own objects', `shows ${owned.kind} ${owned.id}: ${shortly(answer)}`),
    )
}

/**
 * What each camera was to record until something changed, the time zone of its account for one. Only triggers can write it, of all
 * cameras that the change concerns, whoever makes it.
 */
const OF_TRIGGERS = 'camera_plans'

/** An allowed write must add an audit entry that names the caller, and must not touch objects the caller cannot see. */
function wrongWrites(
  tenancyCase: TenancyCase,
  observed: ObservedOutcome,
  rows: readonly WrittenRow[],
  world: World,
): TenancyFinding[] {
  if (observed !== 'allowed') return rows.length === 0 ? [] : [finding(tenancyCase, 'nothing written', tablesOf(rows))]
  const { who, entry } = tenancyCase
  const touched = world.canaries.shownIn(JSON.stringify(rows.filter(({ table }) => table !== OF_TRIGGERS)))
  const said = saidIn(tenancyCase.call, world)
  const strange = touched.filter(
    (owned) => !said.has(owned) && owned.kind !== 'secret' && owned.kind !== 'token' && !maySee(who, owned),
  )
  const found = strange.map((owned) =>
    finding(tenancyCase, 'only the caller’s own objects written', `${owned.kind} ${owned.id} in ${tablesOf(rows)}`),
  )
  const lines = rows.filter(({ table, before }) => table === 'audit_log' && before === null)
  const { silent, silentOfVisitors } = entry.operation
  const isGuest = who.is.kind === 'member' && who.is.isGuest
  if (silent !== undefined || (isGuest && silentOfVisitors !== undefined)) return found
  if (rows.length > 0 && !lines.some(({ after }) => isSignedBy(who, after ?? {}))) {
    found.push(
      finding(
        tenancyCase,
        'an audit entry that names the caller',
        `${lines.length} entries; rows of ${tablesOf(rows)}`,
      ),
    )
  }
  return found
}

function isSignedBy({ is, apiKeyId }: Who, line: Readonly<Record<string, unknown>>): boolean {
  if (is.kind === 'nobody' || line.user_id !== is.userId || (line.api_key_id ?? undefined) !== apiKeyId) return false
  if (is.kind === 'staff') return line.staff_id === is.userId
  return (line.staff_id ?? undefined) === is.support?.staffId
}
