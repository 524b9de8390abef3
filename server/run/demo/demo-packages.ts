import { type Package, standardPackages } from '../compose/first-run/standard-packages.ts'

/** The usual ones, and one that the specification §3 calls custom: without sku, quality and days. */
export const demoPackages: readonly Package[] = [
  ...standardPackages,
  { name: 'Museum_10', sku: null, quality: null, retention_hours: null, max_cameras: 10, max_devices: 3 },
]
