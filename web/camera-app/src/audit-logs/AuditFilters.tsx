import { auditGroups } from '@sightline/contract/audit-logs'
import { CheckList } from '@sightline/kit'
import { FilterList, FilterMenu, FilterPopup } from '@sightline/kit/table'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { DayFilter } from '../account-time/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { type ActionChoice, actionChoices, groupWords } from './action-labels.ts'
import type { AuditLogFilter } from './audit-filter.ts'
import { auditQueries } from './audit-queries.ts'
import { useText } from './text.ts'

interface FiltersProps {
  filter: AuditLogFilter
  onChange: (filter: AuditLogFilter) => void
}

/** Actions grouped under headings, each with a button for all or none. */
function ActionFilter({ filter, onChange }: FiltersProps) {
  const t = useText()
  const { client } = useApplication()
  const choices = actionChoices(useQuery(auditQueries(client).actions).data ?? [], auditGroups)
  const isChosen = ({ actions }: ActionChoice) => actions.some((action) => filter.actions.includes(action))
  const chosen = choices.filter(isChosen)
  const [first] = chosen
  const summary =
    chosen.length === 1 && first !== undefined ? t(first.text) : t('{count} actions', { count: chosen.length })
  const change = (of: readonly ActionChoice[], ticked: ReadonlySet<string>) => {
    const others = chosen.filter((choice) => !of.includes(choice))
    const next = [...others, ...of.filter(({ text }) => ticked.has(text))]
    // Selecting all is the same as no filter, and more values than the server accepts.
    const actions = next.length === choices.length ? [] : next.flatMap((choice) => choice.actions)
    onChange({ ...filter, actions })
  }
  return (
    <FilterPopup label={t('Actions')} summary={chosen.length === 0 ? undefined : summary}>
      <div className="space-y-4">
        {auditGroups.map((group) => {
          const of = choices.filter((choice) => choice.group === group)
          return of.length === 0 ? null : (
            <CheckList
              key={group}
              label={t(groupWords[group])}
              searchLabel={t('Search actions')}
              options={of.map(({ text }) => ({ value: text, label: t(text) }))}
              chosen={new Set(of.filter(isChosen).map(({ text }) => text))}
              onChange={(ticked) => change(of, ticked)}
            />
          )
        })}
      </div>
    </FilterPopup>
  )
}

const idsIn = (texts: ReadonlySet<string>): readonly number[] => [...texts].map(Number)
const textsOf = (ids: readonly number[]): ReadonlySet<string> => new Set(ids.map(String))

/** Days, people, cameras, actions, and whether support acted. */
export function AuditFilters({ filter, onChange }: FiltersProps) {
  const t = useText()
  const { client } = useApplication()
  const people = useQuery(auditQueries(client).people).data ?? []
  const cameras = useQuery(cameraQueries(client).list).data ?? []
  return (
    <>
      <DayFilter days={filter} onChange={(days) => onChange({ ...filter, ...days })} />
      <FilterList
        label={t('Users')}
        searchLabel={t('Search users')}
        options={people.map(({ userId, name }) => ({ value: String(userId), label: name }))}
        chosen={textsOf(filter.people)}
        onChange={(chosen) => onChange({ ...filter, people: idsIn(chosen) })}
        summary={(count) => t('{count} users', { count })}
      />
      <FilterList
        label={t('Cameras')}
        searchLabel={t('Search cameras')}
        options={cameras.map(({ cameraId, name }) => ({ value: String(cameraId), label: name }))}
        chosen={textsOf(filter.cameras)}
        onChange={(chosen) => onChange({ ...filter, cameras: idsIn(chosen) })}
        summary={(count) => t('{count} cameras', { count })}
      />
      <ActionFilter filter={filter} onChange={onChange} />
      <FilterMenu
        label={t('By anyone')}
        choices={[{ value: 'support', label: t('Support and provider only') }]}
        value={filter.supportOnly ? 'support' : undefined}
        onChange={(value) => onChange({ ...filter, supportOnly: value !== undefined })}
      />
    </>
  )
}
