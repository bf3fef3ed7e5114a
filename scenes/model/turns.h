/* Frames and turns, as files of robots give them: correctly rounded operations and deterministic sines, the same bits
 * on every machine. Quaternions are (x, y, z, w), of unit length. */
#ifndef GJB_SCENES_MODEL_TURNS_H
#define GJB_SCENES_MODEL_TURNS_H

/* Local to the frame around it: turned by q, then moved by t. */
typedef struct gjb_frame3 {
    double t[3], q[4];
} gjb_frame3;

extern const gjb_frame3 gjb_no_turn;

/* `inner` lies in `outer`: both as one. */
gjb_frame3 gjb_frame_in(const gjb_frame3 *outer, const gjb_frame3 *inner);

/* Each 0, or -1 if it has no direction: a length that is 0, or axes on one line. */
int gjb_turn_unit(double q[4]);                                    /* scales it */
int gjb_turn_about(const double axis[3], double angle, double q[4]); /* radians */
/* The least turn that takes z to `axis`; about x if that is -z. */
int gjb_turn_z_to(const double axis[3], double q[4]);
/* Takes x to the first axis and y as near as can be to the second. */
int gjb_turn_xy_to(const double axes[6], double q[4]);
/* Turns about the axes that `sequence` names, one after the other: x, y, z are those that turn along, X, Y, Z those
 * that do not. `sequence` holds three of these letters. */
void gjb_turn_euler(const double angles[3], const char *sequence, double q[4]);

#endif
