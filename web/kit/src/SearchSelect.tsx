import { type KeyboardEvent, useRef, useState } from 'react'
import { IconButton } from './Button.tsx'
import { Field, type FieldFrame, inputClass } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import { lazyModule } from './lazy-module.ts'
import type { Option } from './option-search.ts'
import { usePopup } from './use-popup.ts'

interface SearchSelectProps extends FieldFrame {
  /** Empty if nothing is selected; an `optional` field can be cleared. */
  value: string
  /** The text that the closed field shows for `value`, because the list may not be built yet. */
  valueLabel: string
  /** Builds or fetches the list; called when it first opens, and again if it was empty. */
  options: () => readonly Option[] | Promise<readonly Option[]>
  onChange: (value: string) => void
  disabled?: boolean
  /** Shown in the closed field if nothing is selected: `Select a country`. */
  placeholder?: string
  /** What to type into the search: `Search by name`. */
  searchHint?: string
}

const searchPopup = lazyModule(() => import('./popups/SearchPopup.tsx'))

/** Whether the key types a character; with a modifier key it is a command. */
const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

/**
 * A long list that is searched by typing. The field is a button; search and list load on its first hover or focus, and the
 * list is built when it opens.
 */
export function SearchSelect(props: SearchSelectProps) {
  const { label, hint, error, optional, value, valueLabel, disabled = false, onChange, options } = props
  const text = useKitText()
  const { Module, isOpen, open, popupProps, triggerProps } = usePopup(searchPopup)
  const list = useRef<readonly Option[]>([])
  const [begun, begin] = useState('')
  const isClearable = optional !== undefined && value !== '' && !disabled
  const load = async () => {
    if (list.current.length === 0) list.current = await options()
    return list.current
  }
  return (
    <Field label={label} hint={hint} error={error} {...(optional === undefined ? {} : { optional })}>
      {(ids) => (
        <div className="relative">
          <button
            {...triggerProps}
            {...ids}
            type="button"
            role="combobox"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${ids.id}-popup` : undefined}
            value={value}
            disabled={disabled}
            onClick={(event) => {
              begin('')
              triggerProps.onClick(event)
            }}
            onKeyDown={(event) => {
              begin(isTyped(event) ? event.key : '')
              if (!isTyped(event)) return triggerProps.onKeyDown(event)
              event.preventDefault()
              open('keyboard')
            }}
            className={`${inputClass} block truncate text-left rtl:pr-3 rtl:text-right ${isClearable ? 'pr-20 rtl:pl-20' : 'pr-10 rtl:pl-10'}`}
          >
            {/* `bdi` keeps the text's own direction on a right-to-left page; the field follows the page. */}
            {valueLabel === '' ? <span className="text-muted">{props.placeholder}</span> : <bdi>{valueLabel}</bdi>}
          </button>
          {isClearable ? (
            <IconButton
              icon="close"
              label={text('Clear {field}', { field: label })}
              onClick={() => {
                onChange('')
                popupProps.trigger.current?.focus()
              }}
              className="absolute inset-y-0 end-8 hover:bg-transparent"
            />
          ) : null}
          <span className="pointer-events-none absolute inset-y-0 end-0 flex w-10 items-center justify-center text-muted">
            <Icon name="chevronDown" size={18} className={`transition-transform ${isOpen ? 'rotate-180' : ''}`} />
          </span>
          {Module === undefined ? null : (
            <Module.SearchPopup
              {...popupProps}
              id={ids.id}
              label={label}
              placeholder={props.searchHint}
              chosen={value === '' ? null : { value, label: valueLabel }}
              begun={begun}
              load={load}
              onChoose={onChange}
            />
          )}
        </div>
      )}
    </Field>
  )
}
