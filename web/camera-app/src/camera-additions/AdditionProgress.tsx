import type { AdditionStatus, AdditionSubStatus } from '@sightline/contract/camera-additions'
import { type Camera, deleteCamera } from '@sightline/contract/cameras'
import { Button, buttonClass, Card, Icon, Notice, Select } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useEffect, useState } from 'react'
import { failureReasons } from './failure-reasons.ts'
import { useText } from './text.ts'
import { useAddition } from './use-addition.ts'

type StepState = 'done' | 'running' | 'failed' | 'waiting'

/** How far an addition is: the response of the camera, then its video. */
function stepsOf(status: AdditionStatus, subStatus: AdditionSubStatus): readonly [StepState, StepState] {
  if (status === 'added') return ['done', 'done']
  if (status === 'validated') return ['done', 'running']
  if (status === 'inProgress') return ['running', 'waiting']
  return subStatus === 'unsupportedDevice' ? ['done', 'failed'] : ['failed', 'waiting']
}

const looks = {
  done: { icon: 'success', className: 'text-success-text', label: 'Done' },
  running: { icon: 'refresh', className: 'animate-spin text-muted motion-reduce:animate-none', label: 'In progress' },
  failed: { icon: 'warning', className: 'text-danger-text', label: 'Failed' },
  waiting: { icon: 'clock', className: 'text-muted', label: 'Waiting' },
} as const

function Step({ state, children }: { state: StepState; children: string }) {
  const t = useText()
  const { icon, className, label } = looks[state]
  return (
    <li className={`flex items-center gap-3 py-2 ${state === 'waiting' ? 'text-muted' : ''}`}>
      <span className={className}>
        <Icon name={icon} />
      </span>
      <span className="grow">{children}</span>
      <span className="sr-only">{t(label)}</span>
    </li>
  )
}

interface OtherInputsProps {
  /** How many the device has. */
  count: number
  added: number
  onAdd: (input: number) => void
}

/** The list of a recorder's inputs, to add another one. */
function OtherInputs({ count, added, onAdd }: OtherInputsProps) {
  const t = useText()
  const [chosen, choose] = useState(added < count ? added + 1 : 1)
  if (count < 2) return null
  const others = Array.from({ length: count }, (_, index) => index + 1).filter((input) => input !== added)
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        label={t('This device has several inputs')}
        value={String(chosen)}
        onChange={(event) => choose(Number(event.target.value))}
      >
        {others.map((input) => (
          <option key={input} value={input}>
            {t('Input {number}', { number: input })}
          </option>
        ))}
      </Select>
      <Button variant="secondary" onClick={() => onAdd(chosen)}>
        {t('Add this input')}
      </Button>
    </div>
  )
}

interface AdditionProgressProps {
  camera: Camera
  address: string
  attempt: number
  /** The input of the device that is added, from 1. */
  input: number
  onEdit: () => void
  onAddInput: (input: number) => void
  onAddAnother: () => void
}

/** How the addition of a camera goes, step by step, and what to do next. */
export function AdditionProgress({
  camera,
  address,
  attempt,
  input,
  onEdit,
  onAddInput,
  onAddAnother,
}: AdditionProgressProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const addition = useAddition({ cameraId: camera.cameraId, attempt })
  const status = addition?.status ?? 'inProgress'
  const subStatus = addition?.subStatus ?? 'none'
  const [responds, plays] = stepsOf(status, subStatus)
  useEffect(() => {
    if (status === 'added') void queries.invalidateQueries({ queryKey: ['cameras'] })
  }, [status, queries])
  const edit = () => {
    // Another address would be another camera, and this one was never there. Who may not remove it leaves it in the list.
    void client
      .call(deleteCamera, { params: { cameraId: camera.cameraId } })
      .catch(() => undefined)
      .finally(() => void queries.invalidateQueries({ queryKey: ['cameras'] }))
    onEdit()
  }
  return (
    <Card title={camera.name}>
      <ol aria-live="polite">
        <Step state={responds}>{t('Connecting to {address}', { address })}</Step>
        <Step state={plays}>{t('Receiving video')}</Step>
      </ol>
      {status === 'failure' ? (
        <div className="mt-4 space-y-4">
          <Notice mood="danger">{t(failureReasons[subStatus])}</Notice>
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={edit}>{t('Edit details and try again')}</Button>
          </div>
        </div>
      ) : null}
      {status === 'added' ? (
        <div className="mt-4 space-y-4">
          <Notice mood="success">{t('{camera} has been added and is being recorded.', { camera: camera.name })}</Notice>
          <OtherInputs count={addition?.channels ?? 0} added={input} onAdd={onAddInput} />
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={onAddAnother}>
              {t('Add another camera')}
            </Button>
            <a data-here href={`/app/cameras/${camera.cameraId}`} className={buttonClass()}>
              {t('View camera')}
            </a>
          </div>
        </div>
      ) : null}
    </Card>
  )
}
