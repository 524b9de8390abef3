import { type ReactNode, useEffect } from 'react'
import { IconButton } from './Button.tsx'
import { useKitText } from './kit-text.tsx'
import { lazyModule } from './lazy-module.ts'
import { usePopup } from './use-popup.ts'

/** What is selected in a calendar; days are `yyyy-mm-dd`, empty if there is none. */
export type CalendarSelection = (
  | { readonly kind: 'day'; readonly day: string; readonly onSelect: (day: string) => void }
  | {
      readonly kind: 'range'
      readonly from: string
      readonly to: string
      /** The end of the range that is in view first. */
      readonly startsAt: 'from' | 'to'
      readonly onSelect: (from: string, to: string) => void
    }
) & { /** Offered where the value may stay empty. */ readonly onClear?: (() => void) | undefined }

interface CalendarButtonProps {
  /** What the day is for. */
  label: string
  selection: CalendarSelection
  min?: string | undefined
  max?: string | undefined
  /** The current day in the time zone that counts; the device's by default. */
  today?: string | undefined
  disabled?: boolean
  onOpenChange?: (isOpen: boolean) => void
  /** The text of the button; without it the button is an icon. */
  children?: ReactNode
  className?: string
}

const calendarPopup = lazyModule(() => import('./popups/CalendarPopup.tsx'))

const pad = (value: number): string => String(value).padStart(2, '0')

/** The day on the clock of this device. */
function deviceDay(): string {
  const now = new Date()
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}

/** A button that opens a calendar. */
export function CalendarButton(props: CalendarButtonProps) {
  const { label, selection, min, max, today, disabled = false, onOpenChange, children, className = '' } = props
  const text = useKitText()
  const { Module, isOpen, popupProps, triggerProps } = usePopup(calendarPopup)
  useEffect(() => onOpenChange?.(isOpen), [isOpen, onOpenChange])
  const button = { ...triggerProps, 'aria-haspopup': 'dialog', disabled } as const
  return (
    <>
      {children === undefined ? (
        <IconButton
          {...button}
          icon="calendar"
          label={text('Choose {field}', { field: label })}
          className={`hover:bg-transparent ${className}`}
        />
      ) : (
        <button {...button} type="button" className={className}>
          {children}
        </button>
      )}
      {Module === undefined ? null : (
        <Module.CalendarPopup
          {...popupProps}
          label={label}
          selection={selection}
          min={min}
          max={max}
          today={today ?? deviceDay()}
        />
      )}
    </>
  )
}
