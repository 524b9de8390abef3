import { getCameraPorts } from '@sightline/contract/camera-io'
import { type PirDetector, patchPirDetector } from '@sightline/contract/detectors'
import { CheckList, SettingSwitch, useForm } from '@sightline/kit'
import { SaveCard, useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { capabilityQueries } from '../camera-capabilities/index.ts'
import { detectorQueries } from './detector-queries.ts'
import { LastDetection } from './LastDetection.tsx'
import { useText } from './text.ts'
import { useDetectionSave } from './use-detection-save.ts'

interface PirValues {
  readonly [field: string]: string
  readonly enabled: 'on' | 'off'
  /** A JSON list. */
  readonly inputs: string
}

const toList = (inputs: Iterable<string>): string => JSON.stringify([...inputs].toSorted())

const toInputs = ({ inputs }: PirValues): string[] => JSON.parse(inputs)

interface PirCardProps {
  cameraId: number
  saved: PirDetector
  readOnly: boolean
}

/** Whether PIR sensors count: the camera's own, and those that are wired to its inputs. */
export function PirCard({ cameraId, saved, readOnly }: PirCardProps) {
  const t = useText()
  const { client } = useApplication()
  const values: PirValues = { enabled: saved.enabled ? 'on' : 'off', inputs: toList(saved.inputs) }
  const form = useForm(values, {}, t.message)
  const { save, isLast, closeLast } = useDetectionSave(cameraId, form)
  const isOn = form.values.enabled === 'on'
  const onSave = (next: PirValues) =>
    save(() =>
      client.call(patchPirDetector, {
        params: { cameraId },
        body: { enabled: next.enabled === 'on', inputs: toInputs(next) },
      }),
    )
  const absence = useAbsence(cameraId)
  const unavailable = saved.available || saved.enabled ? undefined : absence
  return (
    <SaveCard
      title={t('PIR sensors')}
      description={t('Sensors that feel the warmth of people and animals, also in the dark.')}
      form={form}
      onSave={onSave}
      readOnly={readOnly}
    >
      <div className="max-w-2xl space-y-3">
        <SettingSwitch
          label={t('Detect with PIR sensors')}
          checked={isOn}
          fixed={readOnly && unavailable === undefined ? t("You can't change this setting.") : unavailable}
          onChange={(on) => form.choose('enabled', on ? 'on' : 'off')}
        />
        {isOn ? (
          <WiredSensors
            cameraId={cameraId}
            chosen={toInputs(form.values)}
            readOnly={readOnly}
            onChange={(inputs) => form.choose('inputs', toList(inputs))}
          />
        ) : null}
      </div>
      <LastDetection cameraId={cameraId} open={isLast} onClose={closeLast} />
    </SaveCard>
  )
}

/** Why PIR sensors can't be used at a camera where they can't. */
function useAbsence(cameraId: number): string {
  const t = useText()
  const { client } = useApplication()
  const { data } = useQuery(capabilityQueries(client, cameraId).capabilities)
  return data?.pir === 'no'
    ? t('This camera has no PIR sensor and no input to connect one to.')
    : t('Available for cameras connected by ONVIF.')
}

interface WiredSensorsProps {
  cameraId: number
  chosen: readonly string[]
  readOnly: boolean
  onChange: (inputs: Iterable<string>) => void
}

/** The inputs of the camera that a sensor is wired to. Nothing is shown for a camera without inputs. */
function WiredSensors({ cameraId, chosen, readOnly, onChange }: WiredSensorsProps) {
  const t = useText()
  const { client } = useApplication()
  const mayRead = useMay()(getCameraPorts) === true
  const { data: ports = [] } = useQuery({ ...detectorQueries(client, cameraId).ports, enabled: mayRead })
  const inputs = ports.filter(({ direction }) => direction === 'input')
  const gone = chosen.filter((portId) => !inputs.some((input) => input.portId === portId))
  if (inputs.length + gone.length === 0) return null
  const options = [
    ...inputs.map(({ portId, name }, index) => ({
      value: portId,
      label: name ?? t('Input {number}', { number: index + 1 }),
    })),
    ...gone.map((portId) => ({ value: portId, label: portId.replace(/^input-/, '') })),
  ]
  return (
    <CheckList
      label={t('Inputs with a PIR sensor')}
      options={options}
      chosen={new Set(chosen)}
      onChange={onChange}
      searchLabel={t('Search inputs')}
      disabled={readOnly}
    />
  )
}
