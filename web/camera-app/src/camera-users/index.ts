export { CameraUsersCard } from './CameraUsersCard.tsx'
