import { inputClass } from '@sightline/kit'
import { parseTimeOfDay } from '@sightline/shell/local-day'
import { type FormEvent, useId, useState } from 'react'
import { type Text, useText } from '../text.ts'
import { DAY } from './timeline/span.ts'
import { zoneClock } from './timeline/zone-clock.ts'

interface GoToProps {
  date: string
  timeZone: string
  now: number
  onPick: (time: number) => void
}

/** `02:30`, or `02:30 CET` on a day on which the clocks show it twice. */
function readTyped(text: string, date: string, timeZone: string): number | undefined {
  const [, timeOfDay = '', zoneName] = /^(\S+)(?:\s+(\S+))?$/.exec(text.trim()) ?? []
  const first = parseTimeOfDay(timeOfDay, date, timeZone)
  return first === undefined || zoneName === undefined ? first : zoneClock(timeZone).sameIn(first, zoneName)
}

/** On such a day the keys of a phone need letters. */
function isClockChanged(date: string, timeZone: string): boolean {
  const noon = parseTimeOfDay('12:00', date, timeZone)
  return noon !== undefined && zoneClock(timeZone).stretches({ from: noon - DAY / 2, till: noon + DAY / 2 }).length > 1
}

/** A field for a time of day. Enter starts playback. */
export function GoToTime({ date, timeZone, now, onPick }: GoToProps) {
  const t = useText()
  const id = useId()
  const [text, setText] = useState('')
  const [fault, setFault] = useState<Text>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const time = readTyped(text, date, timeZone)
    if (time === undefined) return setFault('Type a time such as 14:05 or 14:05:30')
    if (time > now) return setFault('That time is in the future')
    setFault(undefined)
    setText('')
    // Returns the focus, so that the player's keys work.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    return onPick(time)
  }
  return (
    <form noValidate onSubmit={submit} className="flex items-center gap-2 max-sm:min-w-24 max-sm:grow max-sm:basis-0">
      <label htmlFor={id} className="sr-only">
        {t('Go to')}
      </label>
      <input
        id={id}
        inputMode={isClockChanged(date, timeZone) ? 'text' : 'numeric'}
        autoComplete="off"
        enterKeyHint="go"
        placeholder={t('Go to')}
        title={t('Type a time such as 14:05 or 14:05:30')}
        maxLength={16}
        value={text}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={`${id}-fault`}
        onChange={(event) => {
          setText(event.target.value)
          setFault(undefined)
        }}
        className={`${inputClass} tabular-nums sm:w-28!`}
      />
      <span id={`${id}-fault`} role="status" className="text-xs text-danger-text">
        {fault === undefined ? null : t(fault)}
      </span>
    </form>
  )
}
