import { Icon } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { type BrandColors, type ContrastRow, contrastRows, type MeasuredContrast } from './contrast-rows.ts'
import { type Text, useText } from './text.ts'

const names: Readonly<Record<ContrastRow['name'], Text>> = {
  buttonText: 'Text on buttons',
  links: 'Links',
  controls: 'Switches and outlines',
  secondaryText: 'Text in the secondary color',
}

function Result({ result }: { result: MeasuredContrast }) {
  const t = useText()
  const { languages } = useApplication()
  const ratio = result.ratio.toLocaleString(languages.current(), { maximumFractionDigits: 1 })
  return (
    <td className="py-2 ps-3 text-end align-top tabular-nums">
      <span className="inline-flex items-center gap-1">
        <Icon name="success" size={14} className="text-success-text" />
        <bdi dir="ltr">{ratio}:1</bdi>
      </span>
      {result.adjusted === undefined ? null : (
        <span className="block text-xs text-muted">
          {t('shown as')} <bdi dir="ltr">{result.adjusted}</bdi>
        </span>
      )}
    </td>
  )
}

/** The contrast of the brand's colors, and the shades that replace colors with too little contrast. */
export function ContrastTable({ colors }: { colors: BrandColors }) {
  const t = useText()
  const rows = contrastRows(colors)
  const isAdjusted = rows.some(({ light, dark }) => (light.adjusted ?? dark.adjusted) !== undefined)
  return (
    <section>
      <h3 className="font-medium">{t('Contrast')}</h3>
      <p className="mt-1 text-xs text-muted">
        {t(
          isAdjusted
            ? 'Meets WCAG AA. Where your color would be hard to see, a lighter or darker shade is used.'
            : 'Meets WCAG AA with your exact colors.',
        )}
      </p>
      <table className="mt-2 w-full">
        <thead>
          <tr className="border-b border-border text-xs text-muted">
            <th scope="col" className="py-1.5 text-start font-medium">
              {t('Element')}
            </th>
            <th scope="col" className="py-1.5 ps-3 text-end font-medium">
              {t('Light')}
            </th>
            <th scope="col" className="py-1.5 ps-3 text-end font-medium">
              {t('Dark')}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {rows.map(({ name, light, dark }) => (
            <tr key={name}>
              <th scope="row" className="py-2 text-start align-top font-normal">
                {t(names[name])}
              </th>
              <Result result={light} />
              <Result result={dark} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
