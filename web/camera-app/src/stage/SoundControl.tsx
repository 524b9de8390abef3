import { Icon } from '@sightline/kit'
import { useText } from '../text.ts'
import { stageToolClass } from './StageTools.tsx'
import type { SoundControls } from './use-sound.ts'

/** Sound on or off, and volume. Without sound, the reason. */
export function SoundControl({ sound }: { sound: SoundControls }) {
  const t = useText()
  const { on, why, volume } = sound
  const isHeard = on && why === undefined
  const label = t(isHeard ? 'Sound off' : 'Sound on')
  return (
    <span className="flex items-center">
      <button
        type="button"
        title={why === undefined ? label : t(why)}
        aria-label={why === undefined ? label : `${label}: ${t(why)}`}
        aria-disabled={why !== undefined || undefined}
        data-sound={isHeard ? 'on' : 'off'}
        onClick={sound.toggle}
        className={`${stageToolClass} aria-disabled:text-white/50`}
      >
        <Icon name={isHeard ? 'volume' : 'volumeOff'} />
      </button>
      {isHeard ? (
        <input
          type="range"
          aria-label={t('Volume')}
          title={t('Volume')}
          aria-valuetext={`${Math.round(volume * 100)} %`}
          min={0}
          max={100}
          step={5}
          value={Math.round(volume * 100)}
          onChange={(event) => sound.setVolume(Number(event.target.value) / 100)}
          className="me-2 h-9 w-20 cursor-pointer accent-white focus-visible:outline-white max-sm:hidden"
        />
      ) : null}
    </span>
  )
}
