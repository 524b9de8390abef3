import type { Tx } from '@sightline/platform/db'

/** The most cameras by days of recording (specification §9). */
const mostCameras = { 7: 200, 14: 200, 30: 200, 60: 120, 90: 80, 180: 40, 365: 20, 730: 10 } as const
const qualities = ['SD1', 'HD1', 'HD2'] as const
const FEW_CAMERAS = 10

export interface Package {
  readonly name: string
  readonly sku: string | null
  readonly quality: 'SD1' | 'HD1' | 'HD2' | 'CM10' | null
  readonly retention_hours: number | null
  readonly max_cameras: number
  readonly max_devices: number
}

const stored = (quality: (typeof qualities)[number], days: number, cameras: number): Package => ({
  name: `${quality} ${days} days ${cameras} cameras`,
  sku: `${quality}-${days}-${cameras}`,
  quality,
  retention_hours: days * 24,
  max_cameras: cameras,
  max_devices: Math.ceil(cameras / 4),
})

/** A reseller's first packages: every quality and retention for 10 cameras and for unlimited cameras, and live only. */
export const standardPackages: readonly Package[] = [
  ...qualities.flatMap((quality) =>
    Object.entries(mostCameras).flatMap(([days, most]) =>
      [...new Set([FEW_CAMERAS, most])].map((cameras) => stored(quality, Number(days), cameras)),
    ),
  ),
  {
    name: 'Live only 200 cameras',
    sku: 'CM10-0-200',
    quality: 'CM10',
    retention_hours: 0,
    max_cameras: 200,
    max_devices: 50,
  },
]

const FIRST_PACKAGE_ID = 1001

/** Inserts packages for a reseller without any, in this order and with ids from 1001. */
export async function insertPackages(tx: Tx, resellerId: number, packages: readonly Package[]): Promise<void> {
  const rows = packages.map((one, index) => ({
    ...one,
    reseller_id: resellerId,
    subscription_package_id: FIRST_PACKAGE_ID + index,
    sort_order: index,
  }))
  await tx.insertInto('subscription_packages').values(rows).execute()
}
