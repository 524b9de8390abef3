import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { CheckRows } from './CheckRows.tsx'
import { inputClass } from './Field.tsx'
import { useKitText } from './kit-text.tsx'
import { type Option, searchOptions } from './option-search.ts'
import { withKeys } from './selected-keys.ts'

export interface CheckListProps {
  label: string
  /** Hides the label, if it is shown elsewhere. */
  hideLabel?: boolean
  options: readonly Option[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** The label of the search box, which appears with eight or more options. */
  searchLabel: string
  disabled?: boolean
  /** Shown if there are no options. */
  empty?: ReactNode
}

const SEARCHED_FROM = 8

/**
 * A list of checkboxes, checked one by one or all search results together. Tab and the arrow keys move from one to the next,
 * Home and End to the first and the last. Of up to 10,000 options only those near the visible part are drawn.
 */
export function CheckList(props: CheckListProps) {
  const { label, hideLabel = false, options, chosen, onChange, searchLabel, disabled = false, empty } = props
  const text = useKitText()
  const id = useId()
  const [query, setQuery] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const found = useMemo(() => searchOptions(options, query), [options, query])
  const change = (changed: readonly string[], on: boolean) => onChange(withKeys(chosen, changed, { on }))
  const changeFound = (on: boolean) =>
    change(
      found.map(({ value }) => value),
      on,
    )
  return (
    // No legend, because it can't be in one line with the buttons.
    <fieldset aria-labelledby={id} className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span id={id} className={hideLabel ? 'sr-only' : 'font-medium'}>
          {label}
        </span>
        <span role="status" className="me-auto text-xs text-muted tabular-nums">
          {text('{count} of {total} selected', { count: chosen.size, total: options.length })}
        </span>
        {disabled || options.length < 2 ? null : (
          <>
            <ListButton label={text('All')} onPress={() => changeFound(true)} />
            <ListButton label={text('None')} onPress={() => changeFound(false)} />
          </>
        )}
      </div>
      {options.length < SEARCHED_FROM ? null : (
        <input
          type="search"
          aria-label={searchLabel}
          placeholder={searchLabel}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            list.current?.scrollTo(0, 0)
          }}
          className={`${inputClass} mt-2`}
        />
      )}
      <CheckRows
        id={id}
        list={list}
        options={found}
        chosen={chosen}
        disabled={disabled}
        onChange={(value, on) => change([value], on)}
      />
      {options.length === 0 ? empty : null}
      {options.length > 0 && found.length === 0 ? (
        <p className="px-2 py-1.5 text-muted">{text('Nothing found')}</p>
      ) : null}
    </fieldset>
  )
}

function ListButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="inline-flex min-h-8 items-center rounded-sm px-2 font-medium text-link hover:bg-sunken pointer-coarse:min-h-11"
    >
      {label}
    </button>
  )
}
