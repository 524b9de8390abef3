import { type CameraPort, type PortState, patchCameraPort } from '@sightline/contract/camera-io'
import { Badge, Button, Card, EmptyState, IconButton, Skeleton, SkeletonGroup, Switch } from '@sightline/kit'
import { Loaded, useApplication, useMay, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilityQueries } from '../camera-capabilities/index.ts'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { browserLocale } from '../locale.ts'
import { inSeconds } from '../seconds-text.ts'
import { NamePort } from './NamePort.tsx'
import { lacksPorts, portsQuery } from './port-queries.ts'
import { type Text, useText } from './text.ts'

const inputStates: Readonly<Record<PortState, Text>> = { active: 'Active', inactive: 'Idle' }
const outputStates: Readonly<Record<PortState, Text>> = { active: 'On', inactive: 'Off' }

interface PortProps {
  cameraId: number
  port: CameraPort
  /** What it is called. */
  label: string
  /** Undefined if this user can't name it. */
  onName: (() => void) | undefined
}

function NameButton({ label, onName }: Pick<PortProps, 'label' | 'onName'>) {
  const t = useText()
  if (onName === undefined) return null
  return <IconButton icon="edit" label={t('Rename {name}', { name: label })} onClick={onName} />
}

/** Whether it is on is what the camera says; nothing is shown as switched before it is. */
function useSwitch(cameraId: number, { portId }: CameraPort) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const change = async (state: PortState) => {
    setBusy(true)
    await save(() => client.call(patchCameraPort, { params: { cameraId, portId }, body: { state } }), {
      messages: {
        4: t('The camera no longer has this output.'),
        12: t('The camera rejected its password. Its user needs to be an administrator of the camera.'),
        13: t("The camera didn't switch the output."),
        18: t('The camera is offline'),
        19: t("The camera didn't respond. Check the output before you try again."),
      },
    })
    await queries.invalidateQueries({ queryKey: portsQuery(client, cameraId).queryKey })
    setBusy(false)
  }
  return { busy, change }
}

function Output({ cameraId, port, label, onName }: PortProps) {
  const t = useText()
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  const { busy, change } = useSwitch(cameraId, port)
  const canSwitch = onName !== undefined
  const isOn = port.state === 'active'
  const { pulseSeconds } = port
  const state = port.state === null ? t('Unknown') : t(outputStates[port.state])
  if (pulseSeconds !== null || !canSwitch) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{label}</p>
          {pulseSeconds === null ? null : (
            <p className="text-muted">
              {t('Switches off automatically: {time}', { time: inSeconds(pulseSeconds, locale) })}
            </p>
          )}
        </div>
        <div className="flex items-center gap-2">
          <Badge mood={isOn ? 'success' : 'neutral'}>{state}</Badge>
          {canSwitch ? (
            <Button variant="secondary" busy={busy} disabled={isOn} onClick={() => void change('active')}>
              {t('Switch on')}
            </Button>
          ) : null}
          <NameButton label={label} onName={onName} />
        </div>
      </div>
    )
  }
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <Switch
          label={<span className="wrap-anywhere">{label}</span>}
          description={port.state === null ? t("The camera doesn't say whether it is on.") : state}
          checked={isOn}
          disabled={busy}
          onChange={(on) => void change(on ? 'active' : 'inactive')}
        />
      </div>
      <NameButton label={label} onName={onName} />
    </div>
  )
}

function Input({ port, label, onName }: PortProps) {
  const t = useText()
  const { state } = port
  return (
    <div className="flex items-center justify-between gap-4">
      <p className="min-w-0 font-medium wrap-anywhere">{label}</p>
      <div className="flex items-center gap-2">
        <Badge mood={state === 'active' ? 'warning' : 'neutral'}>
          {state === null ? t('Unknown') : t(inputStates[state])}
        </Badge>
        <NameButton label={label} onName={onName} />
      </div>
    </div>
  )
}

interface PortListProps {
  cameraId: number
  ports: readonly CameraPort[]
  mayChange: boolean
}

function PortList({ cameraId, ports, mayChange }: PortListProps) {
  const t = useText()
  const [naming, setNaming] = useState<CameraPort>()
  const groups = [
    { direction: 'output', title: t('Outputs'), about: t('Relays that switch a gate, a light or an alarm.') },
    { direction: 'input', title: t('Inputs'), about: t('Contacts such as a doorbell, a button or a door sensor.') },
  ] as const
  const labelOf = (port: CameraPort, index: number) =>
    port.name ?? t(port.direction === 'output' ? 'Output {number}' : 'Input {number}', { number: index + 1 })
  // Who may control outputs but not view inputs, at a camera that has inputs only.
  if (ports.length === 0) return <EmptyState icon="info" title={t('This camera has no outputs')} />
  return (
    <div className="space-y-5">
      {groups.map(({ direction, title, about }) => {
        const own = ports.filter((port) => port.direction === direction)
        if (own.length === 0) return null
        const Port = direction === 'output' ? Output : Input
        return (
          <Card key={direction} title={title} description={about}>
            <ul className="divide-y divide-border">
              {own.map((port, index) => (
                <li key={port.portId} className="py-3 first:pt-0 last:pb-0">
                  <Port
                    cameraId={cameraId}
                    port={port}
                    label={labelOf(port, index)}
                    onName={mayChange ? () => setNaming(port) : undefined}
                  />
                </li>
              ))}
            </ul>
          </Card>
        )
      })}
      {naming === undefined ? null : (
        <NamePort key={naming.portId} cameraId={cameraId} port={naming} onClose={() => setNaming(undefined)} />
      )}
    </div>
  )
}

/** Relay outputs and digital inputs of a camera, live. */
export function PortsTab({ camera, status, readOnly }: SettingsTabProps) {
  const t = useText()
  const { client } = useApplication()
  const may = useMay()
  const can = useQuery(capabilityQueries(client, camera.cameraId).capabilities)
  // A camera that is known to have none isn't asked again.
  const isWithout = can.data?.io === 'no'
  const ports = useQuery({ ...portsQuery(client, camera.cameraId), enabled: !can.isPending && !isWithout })
  if (isWithout || lacksPorts(ports.error)) {
    return (
      <EmptyState icon="info" title={t('This camera has no inputs and outputs')}>
        {t(
          'Many cameras have contacts for a doorbell, a gate or a light. They are shown here if the camera is connected by ONVIF.',
        )}
      </EmptyState>
    )
  }
  // The frame says that it is offline, and what that means.
  if (status !== undefined && !status.online && ports.data === undefined) return null
  return (
    <Loaded
      asked={[ports]}
      failure={t("Couldn't read the inputs and outputs")}
      place={
        <SkeletonGroup>
          <Skeleton className="h-48 w-full" />
        </SkeletonGroup>
      }
    >
      {(loaded) => (
        <PortList
          cameraId={camera.cameraId}
          ports={loaded}
          mayChange={readOnly === undefined && status?.online === true && may(patchCameraPort) === true}
        />
      )}
    </Loaded>
  )
}
