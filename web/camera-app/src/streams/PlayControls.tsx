import { Button, IconButton, SelectButton } from '@sightline/kit'
import { type CameraView, useViewState } from '@sightline/player'
import { useId } from 'react'
import { useText } from '../text.ts'
import type { Player } from './use-player.ts'

const RATES = [0.5, 1, 2, 4, 8]

function RateChoice({ view, disabled }: { view: CameraView | undefined; disabled: boolean }) {
  const t = useText()
  const id = useId()
  const rate = useViewState(view, (state) => state.rate)
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
        onChange={({ target }) => view?.setRate(Number(target.value))}
        className="w-20! border-transparent bg-transparent text-muted tabular-nums hover:bg-sunken"
      >
        {RATES.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </SelectButton>
    </>
  )
}

/** The playback controls. They run from left to right in every language, like time in the timeline. */
export function PlayControls({ view, player }: { view: CameraView | undefined; player: Player }) {
  const t = useText()
  const isLive = player.use === 'live'
  const paused = useViewState(view, (state) => state.phase === 'paused')
  const { act } = player
  return (
    <fieldset className="contents" aria-label={t('Playback')}>
      <span dir="ltr" className="flex items-center gap-0.5">
        <Button
          variant={isLive ? 'primary' : 'secondary'}
          aria-pressed={isLive}
          onClick={act.live}
          className="me-1 px-3! sm:me-2"
          data-live={isLive}
        >
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${isLive ? 'bg-current' : 'border border-current'}`}
          />
          {t('Live')}
        </Button>
        <IconButton icon="skipBack" label={t('10 seconds back')} onClick={() => act.skip(-10_000)} />
        <IconButton
          icon={paused ? 'play' : 'pause'}
          label={t(paused ? 'Play' : 'Pause')}
          disabled={isLive}
          onClick={act.toggle}
          className="text-text!"
        />
        <IconButton
          icon="skipForward"
          label={t('10 seconds forward')}
          disabled={isLive}
          onClick={() => act.skip(10_000)}
        />
      </span>
      <span dir="ltr" className="flex items-center gap-0.5">
        <IconButton icon="stepBack" label={t('1 frame back')} disabled={isLive} onClick={() => act.step(-1)} />
        <IconButton icon="stepForward" label={t('1 frame forward')} disabled={isLive} onClick={() => act.step(1)} />
        <RateChoice view={view} disabled={isLive} />
      </span>
    </fieldset>
  )
}
