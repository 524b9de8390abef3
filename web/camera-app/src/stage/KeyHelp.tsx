import { Dialog } from '@sightline/kit'
import { type Text, useText } from './text.ts'

const live: readonly (readonly [string, Text])[] = [
  ['M', 'Sound on or off'],
  ['F', 'Full screen'],
  ['S', 'Save this picture'],
  ['D', 'Technical details'],
  ['?', 'Keyboard shortcuts'],
]
const moving: readonly (readonly [string, Text])[] = [
  ['←  →  ↑  ↓', 'Turn the camera, while its controls are open'],
  ['+  −', 'Zoom, while its controls are open'],
]
const talking: readonly (readonly [string, Text])[] = [['T', 'Talk, or stop talking']]
const several: readonly (readonly [string, Text])[] = [
  ['1  …  9', 'Choose a camera'],
  ['Enter', 'Show only this camera, or all cameras'],
]
const recorded: readonly (readonly [string, Text])[] = [
  ['Space  K', 'Play or pause'],
  ['J  ←', '10 seconds back'],
  ['L  →', '10 seconds forward'],
  ['Shift ←  →', '1 minute back or forward'],
  [',  .', '1 frame back or forward'],
  ['+  −', 'More or less detail in the timeline'],
  ['Home  End', 'Start or end of the visible time'],
  ['I  O', 'Start or end the selection here'],
  ['V', 'Live'],
]

export interface KeyHelpProps {
  open: boolean
  onClose: () => void
  withPlayback: boolean
  withMoving: boolean
  withTalking: boolean
  withSeveral: boolean
}

export function KeyHelp({ open, onClose, withPlayback, withMoving, withTalking, withSeveral }: KeyHelpProps) {
  const t = useText()
  const rows = [
    ...(withPlayback ? recorded : []),
    ...(withSeveral ? several : []),
    ...live,
    ...(withTalking ? talking : []),
    ...(withMoving ? moving : []),
  ]
  return (
    <Dialog open={open} onClose={onClose} title={t('Keyboard shortcuts')}>
      <dl className="mt-3 grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2">
        {rows.map(([keys, does]) => (
          <div key={does} className="contents">
            <dt className="flex gap-1.5">
              {keys.split('  ').map((key) => (
                <kbd key={key} className="rounded-sm border border-outline bg-sunken px-2 py-0.5 font-sans text-xs">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
