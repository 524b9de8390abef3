import { exportSpeeds, getExportOptions, isDerived } from '@sightline/contract/exports'
import { Notice, Select, Skeleton, Switch, TextField } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type ExportWish, MAX_WATERMARK } from './export-wish.ts'
import { useText } from './text.ts'

interface PictureFieldsProps {
  wish: ExportWish
  onChange: (wish: ExportWish) => void
}

/** What is added to the pictures of a file, if the server can do it, and what that means for the file as evidence. */
export function PictureFields({ wish, onChange }: PictureFieldsProps) {
  const t = useText()
  const { client } = useApplication()
  const { data: options, isError } = useQuery({
    queryKey: ['exportOptions'],
    queryFn: ({ signal }) => client.call(getExportOptions, {}, { signal }),
  })
  if (options === undefined) return isError ? null : <Skeleton className="h-16" />
  if (!options.overlay)
    return (
      <p className="text-sm text-muted">
        {t('You can’t add to the picture or change the speed, because this server has no video encoder.')}
      </p>
    )
  return (
    <>
      <Switch
        label={t('Name and time in the picture')}
        description={t('The camera’s name and its local time, at the bottom left.')}
        checked={wish.overlay}
        onChange={(overlay) => onChange({ ...wish, overlay })}
      />
      <TextField
        label={t('Watermark')}
        optional={t('optional')}
        maxLength={MAX_WATERMARK}
        hint={t('Text across the picture.')}
        value={wish.watermark}
        onChange={(event) => onChange({ ...wish, watermark: event.currentTarget.value })}
      />
      <Switch
        label={t('Logo in the picture')}
        description={
          options.logo
            ? t('At the bottom right, slightly transparent.')
            : t('Not available, because there is no logo in PNG format.')
        }
        disabled={!options.logo}
        checked={wish.logo && options.logo}
        onChange={(logo) => onChange({ ...wish, logo })}
      />
      <Select
        label={t('Speed')}
        hint={t('A faster video skips pictures and has no sound.')}
        value={wish.speed}
        onChange={({ target }) => {
          const speed = exportSpeeds.find((each) => each === Number(target.value)) ?? 1
          onChange({ ...wish, speed })
        }}
      >
        {exportSpeeds.map((speed) => (
          <option key={speed} value={speed}>
            {speed === 1 ? t('As recorded') : t('{speed}× speed', { speed })}
          </option>
        ))}
      </Select>
      {isDerived(wish) ? (
        <Notice mood="neutral">
          {t(
            'The file won’t be the original: its pictures are re-encoded, which takes longer, and it doesn’t prove what was recorded. For evidence, also export it as recorded, without additions.',
          )}
        </Notice>
      ) : null}
    </>
  )
}
