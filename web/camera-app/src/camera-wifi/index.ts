export { WifiCard } from './WifiCard.tsx'
