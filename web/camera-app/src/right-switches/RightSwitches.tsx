import { allRightGroups, type Right, type RightGroup, rightGroups } from '@sightline/contract/rights'
import type { RightSwitches as Changes } from '@sightline/contract/sub-users'
import { EmptyState, SettingSwitch, SwitchGroup } from '@sightline/kit'
import { SearchBox } from '@sightline/kit/table'
import { useState } from 'react'
import { useRightsText, useRightWords } from '../rights/index.ts'

interface RightSwitchesProps {
  isOn: (right: Right) => boolean
  /** Why this right can't be changed. */
  fixedOf: (right: Right) => string | undefined
  /** Id of the notice that explains why none can be changed. */
  fixedBy?: string | undefined
  /** Changes that the server hasn't confirmed yet. */
  pending: ReadonlySet<Right>
  onChange: (changes: Changes) => void
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()

/** All rights, as switches under headings. */
export function RightSwitches(props: RightSwitchesProps) {
  const t = useRightsText()
  const words = useRightWords()
  const [wanted, setWanted] = useState('')
  const needle = fold(wanted.trim())
  const isFound = (right: Right) => fold(`${words.name(right)} ${words.description(right)}`).includes(needle)
  const shown = allRightGroups
    .map((group) => ({ group, rights: rightGroups[group].filter(isFound) as readonly Right[] }))
    .filter(({ rights }) => rights.length > 0)
  return (
    <div className="space-y-5">
      <SearchBox label={t('Search rights')} text={wanted} onChange={setWanted} className="w-full" />
      {shown.map(({ group, rights }) => (
        <Group key={group} group={group} rights={rights} {...props} />
      ))}
      {shown.length === 0 ? <EmptyState icon="search" title={t('No rights match your search')} /> : null}
    </div>
  )
}

interface GroupProps extends RightSwitchesProps {
  group: RightGroup
  /** The rights that are shown. */
  rights: readonly Right[]
}

function Group({ group, rights, isOn, fixedOf, fixedBy, pending, onChange }: GroupProps) {
  const words = useRightWords()
  const all: readonly Right[] = rightGroups[group]
  // The right that removes all changes must not be granted by accident.
  const together = rights.filter((right) => fixedOf(right) === undefined && right !== 'demoUser')
  const setAll = (on: boolean) => {
    const changed = together.filter((right) => isOn(right) !== on)
    if (changed.length > 0) onChange(Object.fromEntries(changed.map((right) => [right, on])))
  }
  return (
    <SwitchGroup
      title={words.group(group)}
      on={all.filter(isOn).length}
      of={all.length}
      onAll={fixedBy === undefined && together.length > 1 ? setAll : undefined}
    >
      {rights.map((right) => (
        <SettingSwitch
          key={right}
          label={words.name(right)}
          description={words.description(right)}
          checked={isOn(right)}
          fixed={fixedOf(right)}
          fixedBy={fixedBy}
          pending={pending.has(right)}
          onChange={(on) => onChange({ [right]: on })}
        />
      ))}
    </SwitchGroup>
  )
}
