#pragma once
#include "engine/data/sample/painter.h"

namespace halfstep::data {

/// What a picture is drawn with beside its thing; the same choices for every class, so that the background gives the
/// class away only now and then.
struct Scene {
    double groundY = 0; ///< row on which things stand, of a canvas of 256 x 256
};

enum class Place { Meadow, Street, Water, Wall, Table, Sky };

/// Paints the whole canvas.
Scene paintBackground(Painter& painter, Random& random, Place place);
/// Small things that belong to no class: stones, leaves, boxes, posts, balls.
void paintClutter(Painter& painter, Random& random, const Scene& scene, int count);
/// Weather, lamp and camera: light from a side, colour of the light, grain.
void paintLight(Painter& painter, Random& random);

} // namespace halfstep::data
