package io.roceverbs.sim.diagram;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Remembers which places of a drawing are taken, so that labels can keep clear of each other. */
final class SvgPlaces {
  /** A rectangle with its corners at the left top and at the right bottom. */
  record Rectangle(double left, double top, double right, double bottom) {
    boolean overlaps(Rectangle other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
  }

  /** Rectangles are kept by bands of this height, to compare with those nearby only. */
  private static final double BAND_HEIGHT = 64;

  private final Map<Integer, List<Rectangle>> bands = new HashMap<>();

  private static int band(double y) {
    return (int) Math.floor(y / BAND_HEIGHT);
  }

  void take(Rectangle place) {
    for (int band = band(place.top); band <= band(place.bottom); band++) {
      bands.computeIfAbsent(band, number -> new ArrayList<>()).add(place);
    }
  }

  boolean isFree(Rectangle place) {
    for (int band = band(place.top); band <= band(place.bottom); band++) {
      for (Rectangle taken : bands.getOrDefault(band, List.of())) {
        if (taken.overlaps(place)) {
          return false;
        }
      }
    }
    return true;
  }
}
