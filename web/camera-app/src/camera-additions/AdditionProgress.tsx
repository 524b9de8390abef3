import { type CameraAddition, dismissCameraAddition } from '@sightline/contract/camera-additions'
import type { Camera } from '@sightline/contract/cameras'
import { Button, buttonClass, Card, Notice, Select } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useEffect, useState } from 'react'
import { Snapshot } from '../cameras/index.ts'
import { AdditionSteps } from './AdditionSteps.tsx'
import { failureReasons } from './failure-reasons.ts'
import { RetryAddition } from './RetryAddition.tsx'
import { useText } from './text.ts'
import { useAddition } from './use-addition.ts'

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
  /** The user name on the camera that was tried. */
  username: string
  /** The input of the device that is added, from 1. */
  input: number
  onEdit: () => void
  onAddInput: (input: number) => void
  onAddAnother: () => void
}

/** How the addition of a camera goes, step by step, and what to do next. */
export function AdditionProgress(props: AdditionProgressProps) {
  const { camera, username, input } = props
  const t = useText()
  const { client, queries } = useApplication()
  const [attempt, setAttempt] = useState(0)
  const addition = useAddition({ cameraId: camera.cameraId, attempt })
  const status = addition?.status ?? 'inProgress'
  const subStatus = addition?.subStatus ?? 'none'
  const hasPicture = addition?.steps.some(({ step, state }) => step === 'samplePicture' && state === 'done') === true
  useEffect(() => {
    if (status === 'added') void queries.invalidateQueries({ queryKey: ['cameras'] })
  }, [status, queries])
  const edit = () => {
    // Another address would be another camera, and this one was never there.
    void client
      .call(dismissCameraAddition, { params: { cameraId: camera.cameraId } })
      .catch(() => undefined)
      .finally(() => void queries.invalidateQueries({ queryKey: ['cameras'] }))
    props.onEdit()
  }
  return (
    <Card title={camera.name}>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <AdditionSteps steps={addition?.steps} />
        <span className="relative block aspect-video overflow-hidden rounded-md bg-sunken">
          <Snapshot
            cameraId={camera.cameraId}
            online={hasPicture}
            label={t('Sample picture from {camera}', { camera: camera.name })}
            fit="contain"
          />
        </span>
      </div>
      {status === 'failure' ? (
        <div className="mt-4 space-y-4">
          <Notice mood="danger">{t(failureReasons[subStatus])}</Notice>
          <RetryAddition
            camera={camera}
            username={username}
            asksCredentials={subStatus === 'credentialsIncorrect'}
            others={
              <Button variant="secondary" onClick={edit}>
                {t('Edit details')}
              </Button>
            }
            onRetry={() => setAttempt(attempt + 1)}
          />
        </div>
      ) : null}
      {status === 'added' ? (
        <div className="mt-4 space-y-4">
          <Added camera={camera} addition={addition} />
          <OtherInputs count={addition?.channels ?? 0} added={input} onAdd={props.onAddInput} />
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={props.onAddAnother}>
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

/** That the camera was added, and whether it is recorded. */
function Added({ camera, addition }: { camera: Camera; addition: CameraAddition | undefined }) {
  const t = useText()
  const recording = addition?.steps.at(-1)?.state
  const name = { camera: camera.name }
  if (recording === 'failed')
    return (
      <Notice mood="warning">
        {t("{camera} has been added, but it isn't being recorded. Contact support if this persists.", name)}
      </Notice>
    )
  return (
    <Notice mood="success">
      {recording === 'skipped'
        ? t('{camera} has been added.', name)
        : t('{camera} has been added and is being recorded.', name)}
    </Notice>
  )
}
