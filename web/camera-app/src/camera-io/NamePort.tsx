import { type CameraPort, patchCameraPort } from '@sightline/contract/camera-io'
import { zoneOrCameraNameProblem } from '@sightline/contract/zones'
import { FormDialog, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { portsQuery } from './port-queries.ts'
import { useText } from './text.ts'

interface NamePortProps {
  cameraId: number
  port: CameraPort
  onClose: () => void
}

/** Gives an input or output a name, or takes it away. */
export function NamePort({ cameraId, port, onClose }: NamePortProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const form = useForm(
    { name: port.name ?? '' },
    { name: (name) => (name.trim() === '' ? undefined : zoneOrCameraNameProblem('Camera', name.trim())) },
    t.message,
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Name')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async ({ name }) => {
        const body = { name: name.trim() === '' ? null : name.trim() }
        const done = await save(
          () => client.call(patchCameraPort, { params: { cameraId, portId: port.portId }, body }),
          { success: t('Name saved'), form: { fields: ['name'], refuse: form.refuse } },
        )
        if ('failure' in done) return
        await queries.invalidateQueries({ queryKey: portsQuery(client, cameraId).queryKey })
        onClose()
      })}
    >
      <TextField
        {...form.field('name')}
        label={t('Name')}
        hint={t('For example: Gate, Porch light, Doorbell. Leave it empty for no name.')}
        maxLength={64}
        autoComplete="off"
      />
    </FormDialog>
  )
}
