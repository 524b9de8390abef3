import type { ReplacementDifference, ReplacementSubject } from '@sightline/contract/camera-replacements'
import { Badge, Card } from '@sightline/kit'
import { type Text, useText } from './text.ts'

const subjects: Readonly<Record<ReplacementSubject, Text>> = {
  ptz: 'Pan, tilt and zoom',
  microphone: 'Microphone',
  speaker: 'Speaker',
  motionDetection: 'Motion detection',
  pir: 'PIR sensor',
  audioDetection: 'Sound detection',
  tripwire: 'Tripwire',
  edgeStorage: 'Edge storage',
  wifi: 'Wi-Fi',
  mobile: 'Mobile network',
  io: 'Inputs and outputs',
  inputs: 'Inputs',
  outputs: 'Outputs',
  wdr: 'Wide dynamic range',
  imaging: 'Picture settings',
  videoSettings: 'Video settings',
  firmwareUpgrade: 'Firmware update',
  resolution: 'Resolution',
  codec: 'Video format',
  sound: 'Sound',
  subStream: 'Sub-stream',
  presets: 'Saved views',
  areas: 'Detection areas',
  onvif: 'ONVIF',
}

const hints: Partial<Record<ReplacementSubject, Text>> = {
  subStream: 'Small pictures are made from the main stream, which takes more bandwidth.',
  presets: 'Saved views are in the old device. Save them again on the new one.',
  areas: 'The picture has another shape. Check that areas and tripwires still fit.',
  onvif: 'Settings, motion reports and movement of the camera won’t be available.',
  motionDetection: 'The server looks for motion instead, if it has a decoder.',
}

const losses: Readonly<Record<ReplacementDifference['loss'], Text>> = {
  missing: 'Missing',
  changed: 'Different',
  unknown: 'Unknown',
}

const moods = { missing: 'warning', changed: 'neutral', unknown: 'neutral' } as const

function Difference({ subject, loss, before, after }: ReplacementDifference) {
  const t = useText()
  const hint = hints[subject]
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2.5">
      <div className="min-w-0">
        <p>{t(subjects[subject])}</p>
        {before === null || subject === 'areas' ? null : (
          <p className="text-xs text-muted">
            {t('Now {before}, then {after}', { before, after: after ?? t('Nothing') })}
          </p>
        )}
        {hint === undefined ? null : <p className="text-xs text-muted">{t(hint)}</p>}
      </div>
      <Badge mood={moods[loss]}>{t(losses[loss])}</Badge>
    </li>
  )
}

/** What a new device lacks against the one before. */
export function Differences({ differences }: { differences: readonly ReplacementDifference[] }) {
  const t = useText()
  const [first] = differences
  return (
    <Card
      title={t('Differences')}
      description={
        first === undefined
          ? t('According to both devices, the new one can do everything that the old one can.')
          : t('What the new device lacks or does differently.')
      }
    >
      {first === undefined ? null : (
        <ul className="divide-y divide-border">
          {differences.map((difference) => (
            <Difference key={difference.subject} {...difference} />
          ))}
        </ul>
      )}
    </Card>
  )
}
