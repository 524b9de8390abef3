import { getExportOptions } from '@sightline/contract/exports'
import { Notice, Skeleton, Switch, TextField } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type ExportWish, isDerived, MAX_WATERMARK } from './export-wish.ts'
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
        {t('Name, time and watermark can’t be added to the picture: this server has no video encoder.')}
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
      {isDerived(wish) ? (
        <Notice mood="neutral">
          {t(
            'The file won’t be the original: its pictures are re-encoded, which takes longer, and it doesn’t prove what was recorded. For evidence, also export it without additions.',
          )}
        </Notice>
      ) : null}
    </>
  )
}
