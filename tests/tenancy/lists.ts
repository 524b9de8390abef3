import { baseCase, type Entry } from './cases.ts'
import { listFields } from './declarations.ts'
import { maySee, type Who } from './principals.ts'
import { listObjects } from './targets.ts'
import type { TenancyFinding, TrialFixture } from './trial.ts'

/** Counts a list and searches it for foreign objects: neither may reveal what the caller cannot see. */
export async function askList(entry: Entry, fixture: TrialFixture, who: Who): Promise<TenancyFinding[]> {
  return [...(await countOf(entry, fixture, who)), ...(await searchesOf(entry, fixture, who))]
}

async function countOf(entry: Entry, fixture: TrialFixture, who: Who): Promise<TenancyFinding[]> {
  const { status, headers, text } = await asked(entry, fixture, { who, query: { count: 'true', limit: '500' } })
  if (status !== 200) return []
  const total = Number(/^x-total-count: (\d+)$/m.exec(headers)?.[1])
  const shown = (JSON.parse(text) as unknown[]).length
  if (total === shown) return []
  return [
    found(entry, who, {
      target: 'count=true',
      expected: `${shown}, the number of visible objects`,
      got: String(total),
    }),
  ]
}

const SEARCHED = ['camera', 'zone', 'user', 'account', 'staff'] as const

/** Searches for the mark of an object outside the scope: the answer must be that for no match. */
async function searchesOf(entry: Entry, fixture: TrialFixture, who: Who): Promise<TenancyFinding[]> {
  const field = listFields(entry.route.query).find((name) => name === 'q' || name === 'email')
  if (field === undefined) return []
  const strange = SEARCHED.flatMap((referent) => strangest(fixture, who, referent))
  const nothing = await asked(entry, fixture, { who, query: { [field]: 'nothing' } })
  const findings: TenancyFinding[] = []
  for (const owned of strange) {
    const mark = fixture.world.canaries.markOf(owned.kind, owned.id)
    const query = { [field]: field === 'email' ? `${mark}@tenancy.example` : mark }
    const { text } = await asked(entry, fixture, { who, query })
    if (text === nothing.text) continue
    findings.push(
      found(entry, who, {
        target: `${field} of a foreign ${owned.kind}`,
        expected: nothing.text,
        got: text.slice(0, 200),
      }),
    )
  }
  return findings
}

/** An object of the own account that was not granted, and one of a distant tenant. */
function strangest({ world }: TrialFixture, who: Who, referent: (typeof SEARCHED)[number]) {
  const strange = listObjects(world, referent).filter((owned) => !maySee(who, owned))
  const near = strange.find(({ accountId }) => who.is.kind === 'member' && accountId === who.is.account.accountId)
  return [...(near === undefined ? [] : [near]), ...strange.slice(-1)]
}

const found = (
  { title }: Entry,
  who: Who,
  told: Pick<TenancyFinding, 'target' | 'expected' | 'got'>,
): TenancyFinding => ({
  operation: title,
  who: who.name,
  ...told,
})

function asked(
  entry: Entry,
  { frame, world }: TrialFixture,
  { who, query }: { who: Who; query: Record<string, string> },
) {
  const { call } = baseCase(entry, world, who)
  const [path = '', before] = call.path.split('?', 2)
  return frame.call({
    ...call,
    path: `${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(before)), ...query })}`,
  })
}
