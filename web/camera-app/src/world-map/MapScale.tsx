import { useMoments } from '../account-time/index.ts'
import { NorthArrow, ScaleBar, type Size } from '../zones/index.ts'

/** Where north is, and a bar of a round length. */
export function MapScale({ size, metresPerUnit }: { size: Size; metresPerUnit: number }) {
  const { locale } = useMoments()
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${size.width} ${size.height}`}
      className="pointer-events-none absolute inset-0 size-full"
    >
      <NorthArrow size={size} />
      <ScaleBar {...{ metresPerUnit, size, locale }} />
    </svg>
  )
}
