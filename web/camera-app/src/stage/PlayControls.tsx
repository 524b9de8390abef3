import { Button, IconButton, SelectButton } from '@sightline/kit'
import { useId } from 'react'
import { useText } from '../text.ts'
import type { StageActions } from './stage-actions.ts'

export interface PlayControlsProps {
  readonly use: 'live' | 'playback'
  readonly isPaused: boolean
  readonly rate: number
  readonly rates: readonly number[]
  readonly onRate: (rate: number) => void
  /** Nothing plays here, so only live pictures can be chosen. */
  readonly isOff?: boolean
  readonly act: Pick<StageActions, 'live' | 'skip' | 'toggle' | 'step'>
}

/** A minus sign, not a hyphen. */
const rateText = (rate: number): string => `${rate < 0 ? '−' : ''}${Math.abs(rate)}×`

type RateProps = Pick<PlayControlsProps, 'rate' | 'rates' | 'onRate'> & { readonly disabled: boolean }

function RateChoice({ rate, rates, onRate, disabled }: RateProps) {
  const t = useText()
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {t('Speed')}
      </label>
      <SelectButton
        id={id}
        label={t('Speed')}
        value={rate}
        disabled={disabled}
        onChange={({ target }) => onRate(Number(target.value))}
        className="w-22! border-transparent bg-transparent text-muted tabular-nums hover:bg-sunken max-sm:w-12! max-sm:justify-center! max-sm:bg-sunken max-sm:px-0! max-sm:[&>svg]:hidden"
      >
        {rates.map((one) => (
          <option key={one} value={one}>
            {rateText(one)}
          </option>
        ))}
      </SelectButton>
    </>
  )
}

/** The playback controls. They run from left to right in every language, like time in the timeline. */
export function PlayControls({ use, isPaused, rate, rates, onRate, isOff = false, act }: PlayControlsProps) {
  const t = useText()
  const isLive = use === 'live'
  const isStopped = isLive || isOff
  return (
    <fieldset
      dir="ltr"
      className="flex min-w-0 items-center gap-0.5 max-sm:w-full max-sm:justify-between max-sm:*:shrink short:w-auto!"
      aria-label={t('Playback')}
    >
      <Button
        variant={isLive ? 'primary' : 'secondary'}
        aria-pressed={isLive}
        onClick={act.live}
        className="px-3! max-sm:px-2.5! sm:me-2"
        data-live={isLive}
      >
        <span
          aria-hidden="true"
          className={`size-2 shrink-0 rounded-full ${isLive ? 'bg-current' : 'border border-current'}`}
        />
        {t('Live')}
      </Button>
      <IconButton icon="skipBack" label={t('10 seconds back')} onClick={() => act.skip(-10_000)} />
      <IconButton
        icon={isPaused ? 'play' : 'pause'}
        label={t(isPaused ? 'Play' : 'Pause')}
        disabled={isStopped}
        onClick={act.toggle}
        className="text-text!"
      />
      <IconButton
        icon="skipForward"
        label={t('10 seconds forward')}
        disabled={isStopped}
        onClick={() => act.skip(10_000)}
      />
      <IconButton
        icon="stepBack"
        label={t('1 frame back')}
        disabled={isStopped}
        onClick={() => act.step(-1)}
        className="sm:ms-2"
      />
      <IconButton icon="stepForward" label={t('1 frame forward')} disabled={isStopped} onClick={() => act.step(1)} />
      <RateChoice {...{ rate, rates, onRate }} disabled={isStopped} />
    </fieldset>
  )
}
