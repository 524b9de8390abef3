import { Button, IconButton } from '@sightline/kit'
import { type CameraView, useViewState } from '@sightline/player'
import { useText } from '../text.ts'
import type { Player } from './use-player.ts'

const RATES = [0.5, 1, 2, 4, 8]

function RateChoice({ view, disabled }: { view: CameraView | undefined; disabled: boolean }) {
  const t = useText()
  const rate = useViewState(view, (state) => state.rate)
  return (
    <select
      aria-label={t('Speed')}
      title={t('Speed')}
      value={rate}
      disabled={disabled}
      onChange={(event) => view?.setRate(Number(event.target.value))}
      className="control typed w-16 rounded-md bg-transparent px-1 text-muted tabular-nums hover:bg-sunken disabled:opacity-50"
    >
      {RATES.map((one) => (
        <option key={one} value={one} className="bg-raised text-text">
          {one}×
        </option>
      ))}
    </select>
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
        <IconButton icon="stepBack" label={t('One picture back')} disabled={isLive} onClick={() => act.step(-1)} />
        <IconButton icon="stepForward" label={t('One picture forward')} disabled={isLive} onClick={() => act.step(1)} />
        <RateChoice view={view} disabled={isLive} />
      </span>
    </fieldset>
  )
}
