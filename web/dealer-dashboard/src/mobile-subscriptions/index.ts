export { MobileSubscriptionsCard } from './MobileSubscriptionsCard.tsx'
