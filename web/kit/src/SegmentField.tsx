import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DayBounds, dateProblem } from './date-problem.ts'
import { Field, type FieldFrame } from './Field.tsx'
import { useKitText } from './kit-text.tsx'
import { lazyModule, useLazyModule } from './lazy-module.ts'
import { pageLocale } from './page-locale.ts'

export type DateFieldKind = 'date' | 'dateTime' | 'dateTimeSecond' | 'time'

export interface SegmentFieldProps extends FieldFrame, DayBounds {
  /** `yyyy-mm-dd`, `yyyy-mm-ddThh:mm`, `yyyy-mm-ddThh:mm:ss` or `hh:mm`; empty if there is none. */
  value: string
  onChange: (event: { readonly target: { readonly value: string } }) => void
  /** The focus left the field, its calendar included. */
  onBlur?: () => void
  name?: string
  required?: boolean
  disabled?: boolean
}

interface FrameProps extends SegmentFieldProps {
  kind: DateFieldKind
  /** The button of the field's calendar, at its end. */
  calendar?: (onOpenChange: (isOpen: boolean) => void) => ReactNode
}

/** The look of a text input, around several things that take the focus. */
const fieldClass =
  'control typed flex w-full min-w-0 items-center border border-outline bg-surface ps-3 text-text transition-colors hover:border-text has-[[role=spinbutton]:focus]:border-focus has-[[role=spinbutton]:focus]:outline-2 has-[[role=spinbutton]:focus]:outline-offset-0 has-[[role=spinbutton]:focus]:outline-focus data-disabled:border-border data-disabled:bg-sunken data-disabled:text-muted data-invalid:border-danger-text'

const segments = lazyModule(() => import('./popups/DateSegments.tsx'))

const ofDate: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit' }
const ofTime: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }

const formats: Readonly<Record<DateFieldKind, Intl.DateTimeFormatOptions>> = {
  date: ofDate,
  dateTime: { ...ofDate, ...ofTime },
  dateTimeSecond: { ...ofDate, ...ofTime, second: '2-digit' },
  time: ofTime,
}

/** The value as the segments will show it. */
function formatValue(value: string, kind: DateFieldKind): string {
  const time = Date.parse(`${kind === 'time' ? '2000-01-01T' : ''}${value}${kind === 'date' ? '' : 'Z'}`)
  if (Number.isNaN(time)) return ''
  const format = new Intl.DateTimeFormat(pageLocale(), { ...formats[kind], timeZone: 'UTC' })
  return format.format(time)
}

/** Calls back when the focus leaves the box. Its calendar stands elsewhere on the page. */
function useFocusOut(box: RefObject<HTMLElement | null>, onOut: () => void) {
  const out = useEffectEvent(onOut)
  useEffect(() => {
    const element = box.current
    const listen = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && element?.contains(relatedTarget) === true)) out()
    }
    element?.addEventListener('focusout', listen)
    return () => element?.removeEventListener('focusout', listen)
  }, [box])
}

/** Keeps a form from being sent while a field of it is not right, and brings the focus there. */
function useSubmitGuard(box: RefObject<HTMLElement | null>, problem: string | undefined, onRefuse: () => void) {
  const hasProblem = problem !== undefined
  useEffect(() => {
    const form = box.current?.closest('form')
    if (!hasProblem || form === null || form === undefined) return undefined
    const refuse = (event: Event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      onRefuse()
      box.current?.querySelector<HTMLElement>('[role=spinbutton]')?.focus()
    }
    form.addEventListener('submit', refuse, { capture: true })
    return () => form.removeEventListener('submit', refuse, { capture: true })
  }, [box, hasProblem, onRefuse])
}

/**
 * A date or time, typed in parts in the order of the language. The parts are a module that loads after the field is drawn; until
 * then the field shows its value as text.
 */
export function SegmentField(props: FrameProps) {
  const { kind, label, hint, error, optional, value, min, max, disabled = false, calendar } = props
  const text = useKitText()
  const box = useRef<HTMLDivElement>(null)
  const isCalendarOpen = useRef(false)
  const [onOpenChange] = useState(() => (isOpen: boolean) => {
    isCalendarOpen.current = isOpen
  })
  const isFocused = useRef(false)
  const [isIncomplete, setIncomplete] = useState(false)
  const [isLeft, setLeft] = useState(false)
  const [refuse] = useState(() => () => setLeft(true))
  const Module = useLazyModule(segments, true)
  const problem = disabled ? undefined : dateProblem(value, { min, max, isIncomplete }, text)
  const shown = error ?? (isLeft ? problem : undefined)
  useSubmitGuard(box, problem, refuse)
  useFocusOut(box, () => {
    isFocused.current = false
    if (isCalendarOpen.current) return
    setLeft(true)
    props.onBlur?.()
  })
  return (
    <Field label={label} hint={hint} error={shown} {...(optional === undefined ? {} : { optional })}>
      {({ id, ...aria }) => (
        <div
          ref={box}
          data-field
          data-invalid={shown === undefined ? undefined : true}
          data-disabled={disabled || undefined}
          className={fieldClass}
        >
          {Module === undefined ? (
            <button
              type="button"
              id={id}
              disabled={disabled}
              onPointerEnter={() => void segments.preload()}
              onFocus={() => {
                isFocused.current = true
                void segments.preload()
              }}
              className="-my-px grow self-stretch text-start tabular-nums outline-none"
            >
              {formatValue(value, kind)}
            </button>
          ) : (
            <Module.DateSegments
              {...aria}
              id={id}
              kind={kind}
              value={value}
              name={props.name}
              required={props.required === true}
              disabled={disabled}
              autoFocus={isFocused.current}
              onChange={(typed) => props.onChange({ target: { value: typed } })}
              onIncomplete={setIncomplete}
            />
          )}
          {calendar?.(onOpenChange)}
        </div>
      )}
    </Field>
  )
}
