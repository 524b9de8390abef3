import type { AdditionStep, AdditionStepState, CameraAddition } from '@sightline/contract/camera-additions'
import { Icon } from '@sightline/kit'
import { type Text, useText } from './text.ts'

const looks = {
  done: { icon: 'success', className: 'text-success-text', label: 'Done' },
  running: { icon: 'refresh', className: 'animate-spin text-muted motion-reduce:animate-none', label: 'In progress' },
  failed: { icon: 'warning', className: 'text-danger-text', label: 'Failed' },
  skipped: { icon: 'info', className: 'text-muted', label: 'Skipped' },
  waiting: { icon: 'clock', className: 'text-muted', label: 'Waiting' },
} as const

const labels: Readonly<Record<AdditionStep, Text>> = {
  reachable: 'Reach the camera',
  identified: 'Identify the camera',
  signedIn: 'Sign in to the camera',
  streams: 'Find its video streams',
  samplePicture: 'Get a sample picture',
  recording: 'Start recording',
}

/** What is shown before the server's first reply. */
const UNKNOWN: CameraAddition['steps'] = (Object.keys(labels) as AdditionStep[]).map((step, at) => ({
  step,
  state: at === 0 ? 'running' : 'waiting',
}))

function Step({ step, state }: { step: AdditionStep; state: AdditionStepState }) {
  const t = useText()
  const { icon, className, label } = looks[state]
  const isQuiet = state === 'waiting' || state === 'skipped'
  return (
    <li
      className={`flex items-start gap-3 py-1.5 ${isQuiet ? 'text-muted' : ''} ${state === 'failed' ? 'font-medium' : ''}`}
    >
      <span className={className}>
        <Icon name={icon} />
      </span>
      <span className="grow">
        {t(labels[step])}
        {state === 'skipped' ? (
          <span className="block text-xs">{t("Not recording now because of the camera's mode or schedule.")}</span>
        ) : null}
      </span>
      <span className="sr-only">{t(label)}</span>
    </li>
  )
}

/** The six steps of an addition and how far it is. */
export function AdditionSteps({ steps = UNKNOWN }: { steps?: CameraAddition['steps'] | undefined }) {
  return (
    <ol aria-live="polite">
      {steps.map(({ step, state }) => (
        <Step key={step} step={step} state={state} />
      ))}
    </ol>
  )
}
