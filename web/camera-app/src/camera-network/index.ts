export { AddressPasswordField } from './AddressPasswordField.tsx'
export { NetworkSettingsCard } from './NetworkSettingsCard.tsx'
