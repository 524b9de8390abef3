import { EXPORT_DAYS } from '@sightline/contract/exports'
import { MAX_EXPORT_REASON } from '@sightline/contract/streams'
import { Notice, RadioGroup, TextField } from '@sightline/kit'
import { ExportPassword } from './ExportPassword.tsx'
import { type ExportWish, findNameFault, MAX_NAME } from './export-wish.ts'
import { PictureFields } from './PictureFields.tsx'
import { useText } from './text.ts'

interface ExportFieldsProps {
  wish: ExportWish
  onChange: (wish: ExportWish) => void
  /** How many cameras the file will have. */
  cameras: number
}

/** Which file is prepared, its password, why it is exported, and what will be in it. */
export function ExportFields({ wish, onChange, cameras }: ExportFieldsProps) {
  const t = useText()
  const isZip = wish.format === 'zip' || cameras > 1
  const nameFault = findNameFault(wish.name)
  return (
    <>
      {cameras > 1 ? null : (
        <RadioGroup
          label={t('File')}
          options={[
            { value: 'zip', label: t('ZIP file') },
            { value: 'mp4', label: t('MP4 video') },
          ]}
          value={wish.format}
          onChange={(format) => onChange({ ...wish, format })}
        />
      )}
      <TextField
        label={t('Name')}
        optional={t('optional')}
        maxLength={MAX_NAME}
        autoComplete="off"
        hint={t('Used for the file and in the list of exports.')}
        error={nameFault === undefined ? undefined : t(nameFault)}
        value={wish.name}
        onChange={(event) => onChange({ ...wish, name: event.currentTarget.value })}
      />
      {isZip ? (
        <ExportPassword password={wish.password} onChange={(password) => onChange({ ...wish, password })} />
      ) : null}
      <TextField
        label={t('Reason')}
        optional={t('optional')}
        maxLength={MAX_EXPORT_REASON}
        hint={t('Saved in the file with your name and email address.')}
        value={wish.reason}
        onChange={(event) => onChange({ ...wish, reason: event.currentTarget.value })}
      />
      <PictureFields {...{ wish, onChange }} />
      <Notice>
        {isZip
          ? t(
              '{count, plural, one {The file has the video of # camera, a list of contents, and a page that checks whether anything was changed.} other {The file has a video of each of # cameras, a list of contents, and a page that checks whether anything was changed.}}',
              { count: cameras },
            )
          : t('The file is one signed video that begins and ends exactly at these times.')}{' '}
        {t('{days, plural, one {You can download it for # day.} other {You can download it for # days.}}', {
          days: EXPORT_DAYS,
        })}
      </Notice>
    </>
  )
}
