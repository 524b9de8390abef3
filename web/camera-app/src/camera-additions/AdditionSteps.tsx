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

interface ProgressStep {
  readonly step: AdditionStep
  readonly state: AdditionStepState
}

const labels: Readonly<Record<AdditionStep, Text>> = {
  reachable: 'Reach the camera',
  identified: 'Identify the camera',
  signedIn: 'Sign in to the camera',
  streams: 'Find its video streams',
  samplePicture: 'Get a sample picture',
  recording: 'Start recording',
}

function Step({ label: name, state }: { label: string; state: AdditionStepState }) {
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
        {name}
        {state === 'skipped' ? (
          <span className="block text-xs">{t("Not recording now because of the camera's mode or schedule.")}</span>
        ) : null}
      </span>
      <span className="sr-only">{t(label)}</span>
    </li>
  )
}

interface StepListProps {
  /** Undefined before the server's first reply. */
  steps: readonly ProgressStep[] | undefined
  /** What each step is called, in their order. */
  labels: Readonly<Partial<Record<AdditionStep, string>>>
}

/** The steps of an addition and how far it is. */
export function StepList({ steps, labels: names }: StepListProps) {
  const unknown = (Object.keys(names) as AdditionStep[]).map(
    (step, at): ProgressStep => ({ step, state: at === 0 ? 'running' : 'waiting' }),
  )
  return (
    <ol aria-live="polite">
      {(steps ?? unknown).map(({ step, state }) => (
        <Step key={step} label={names[step] ?? step} state={state} />
      ))}
    </ol>
  )
}

/** The six steps of adding a camera and how far it is. */
export function AdditionSteps({ steps }: { steps?: CameraAddition['steps'] | undefined }) {
  const t = useText()
  const named = Object.entries(labels).map(([step, label]) => [step, t(label)])
  return <StepList steps={steps} labels={Object.fromEntries(named)} />
}
