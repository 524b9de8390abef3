import { auditGroups } from '@sightline/contract/audit-logs'
import { CheckList } from '@sightline/kit'
import { FilterList, FilterMenu, FilterPopup } from '@sightline/kit/table'
import type { ReactNode } from 'react'
import { type ActionChoice, actionChoices, groupLabel } from './action-labels.ts'
import type { AuditLogFilter } from './audit-filter.ts'
import type { AuditSource } from './audit-source.ts'
import { useText } from './text.ts'

interface FiltersProps {
  filter: AuditLogFilter
  onChange: (filter: AuditLogFilter) => void
  source: AuditSource
}

/** Actions grouped under headings, each with a button for all or none. */
function ActionFilter({ filter, onChange, source }: FiltersProps) {
  const t = useText()
  const choices = actionChoices(source, auditGroups)
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
              label={t(groupLabel(group, source.kind))}
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
export function AuditFilters({ filter, onChange, source, dayFilter }: FiltersProps & { dayFilter: ReactNode }) {
  const t = useText()
  const { people, cameras, kind } = source
  return (
    <>
      {dayFilter}
      {people === undefined ? null : (
        <FilterList
          label={t('Users')}
          searchLabel={t('Search users')}
          options={people.map(({ userId, name }) => ({ value: String(userId), label: name }))}
          chosen={textsOf(filter.people)}
          onChange={(chosen) => onChange({ ...filter, people: idsIn(chosen) })}
          summary={(count) => t('{count} users', { count })}
        />
      )}
      {cameras === undefined ? null : (
        <FilterList
          label={t('Cameras')}
          searchLabel={t('Search cameras')}
          options={cameras.map(({ cameraId, name }) => ({ value: String(cameraId), label: name }))}
          chosen={textsOf(filter.cameras)}
          onChange={(chosen) => onChange({ ...filter, cameras: idsIn(chosen) })}
          summary={(count) => t('{count} cameras', { count })}
        />
      )}
      <ActionFilter filter={filter} onChange={onChange} source={source} />
      {kind === 'dealer' ? null : (
        <FilterMenu
          label={t('By anyone')}
          choices={[{ value: 'support', label: t('Support and provider only') }]}
          value={filter.supportOnly ? 'support' : undefined}
          onChange={(value) => onChange({ ...filter, supportOnly: value !== undefined })}
        />
      )}
    </>
  )
}
