import { postZone } from '@sightline/contract/zones'
import { FormDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { useText } from './text.ts'
import { ZoneFields } from './ZoneFields.tsx'
import { newZone, useZoneForm, zoneBody, zoneFields } from './zone-form.ts'
import { zoneQueries } from './zone-queries.ts'

/** A dialog that adds a zone. Then it opens the zone, where the user can move cameras to it. */
export function AddZone({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText()
  const { client, queries } = useApplication()
  const router = useRouter()
  const save = useSave()
  const form = useZoneForm(newZone)
  const close = () => {
    form.reset()
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={t('Add zone')}
      submit={t('Add zone')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async (values) => {
        const done = await save(() => client.call(postZone, { body: zoneBody(values) }), {
          success: t('Zone added'),
          messages: { 5: t('A zone with this name already exists.') },
          form: { fields: zoneFields, fieldOfCode: { 5: 'name' }, refuse: form.refuse },
        })
        if (!('saved' in done)) return
        const { saved } = done
        const { list, zone } = zoneQueries(client)
        // For up to a second, the server may not include it in the access of the sub-user who added it.
        queries.setQueryData(zone(saved.zoneId).queryKey, { value: saved, etag: undefined })
        queries.setQueryData(list.queryKey, (before = []) => [...before, saved])
        close()
        await router.navigate({ to: '/zones/$zoneId', params: { zoneId: String(saved.zoneId) } })
      })}
    >
      <ZoneFields form={form} />
    </FormDialog>
  )
}
