import { Categories } from '../features/channels/Categories'
import { PopularChannels } from '../features/channels/PopularChannels'
import { Join } from '../features/waitlist/Join'
import { Doors } from '../features/welcome/Doors'
import { Footer } from '../features/welcome/Footer'
import { Latest } from '../features/welcome/Latest'

/** The lower part of the first screen, out of sight at first and therefore loaded later. */
export default function Below() {
  return (
    <>
      <Latest />
      <Categories />
      <PopularChannels />
      <Join />
      <Doors />
      <Footer />
    </>
  )
}
