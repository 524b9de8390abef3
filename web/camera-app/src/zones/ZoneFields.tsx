import { TextField } from '@sightline/kit'
import { PlaceFields } from './PlaceFields.tsx'
import { TimeZoneField } from './TimeZoneField.tsx'
import { useText } from './text.ts'
import type { ZoneForm } from './zone-form.ts'

/** Name, location and time zone of a zone. */
export function ZoneFields({ form }: { form: ZoneForm }) {
  const t = useText()
  return (
    <>
      <TextField {...form.field('name')} label={t('Name')} autoComplete="off" />
      <TimeZoneField
        hint={t('Schedules in this zone use this time zone.')}
        value={form.values.timeZone}
        onChange={(value) => form.choose('timeZone', value)}
      />
      <PlaceFields form={form} />
    </>
  )
}
